// The certificates of the rehearsal, as OpenSSL reads them.

import { X509Certificate } from 'node:crypto';
import { createAuthority, selfSignedCertificate } from '../../src/local/rehearsal/certificates';

// The length of a signature varies, and with it that of the last line.
test.each(Array.from({ length: 40 }, (_, run) => run))(
  'an authority is read and its certificates are verified: run %d',
  () => {
    const authority = createAuthority();
    const read = new X509Certificate(authority.cert);
    const issued = new X509Certificate(authority.issue('shop.test').cert);
    expect([read.ca, issued.ca, issued.checkHost('shop.test'), issued.checkHost('service.test')]).toEqual([
      true,
      false,
      'shop.test',
      undefined,
    ]);
    expect([issued.checkIssued(read), issued.verify(read.publicKey)]).toEqual([true, true]);
    for (const pem of [authority.cert, selfSignedCertificate('shop.test').cert])
      expect(pem.split('\n').slice(0, -1)).not.toContain('');
  },
);
