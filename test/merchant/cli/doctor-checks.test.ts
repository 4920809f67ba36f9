// `doctor` reports an old version of Node, and placeholders that were left in the legal pages.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkLegalPages, checkNode } from '../../../src/merchant/cli/doctor-checks';

test.each([
  ['20.19.0', 'ok'],
  ['20.100.0', 'ok'],
  ['22.1.0', 'ok'],
  ['20.9.9', 'failed'],
  ['18.20.0', 'failed'],
])('Node %s is %s', async (version, state) => {
  expect(await checkNode(version)).toMatchObject({ state });
});

describe('placeholders in the legal pages', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'legal-'));
    await writeFile(join(folder, 'terms-en.eta'), '<p>Terms of Tea House. <%= it.list[0] %></p>');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('none is left', async () => {
    expect(await checkLegalPages(true, folder)).toMatchObject({ state: 'ok' });
  });
  test('one is a warning before production and a failure in it', async () => {
    await writeFile(join(folder, 'terms-ko.eta'), '<p>[상호]의 약관, [상호]</p>');
    const says = 'placeholders are left\nterms-ko.eta: [상호]';
    expect(await checkLegalPages(false, folder)).toMatchObject({ state: 'warning', says });
    expect(await checkLegalPages(true, folder)).toMatchObject({ state: 'failed', says });
  });
});
