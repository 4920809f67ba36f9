// The proxy of a company (HTTPS_PROXY), with a real one: with SERVICE_PROXY=on every call to the service goes through it by CONNECT,
// and the error of a call says what the proxy has answered. Without it the variables are ignored.

import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { selfSignedCertificate } from '../../../src/local/rehearsal/certificates';
import { createPaymentService } from '../../../src/merchant/payment-service/payment-service';
import { ConfigError } from '../../../src/merchant/platform/config';
import { loadConfig } from '../../../src/merchant/settings';
import { createManualClock } from '../../support/clock';
import { PRODUCTION_ENVIRONMENT, TEST_ENVIRONMENT } from '../../support/config';
import { factsOf, sendEnvelope } from '../../support/service-client';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listenOn(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers a token call and every query. */
const answer = (request: { url?: string | undefined }, response: Parameters<typeof sendEnvelope>[0]) =>
  sendEnvelope(
    response,
    request.url === '/users/getToken'
      ? { access_token: 'token', now: 1_000_000_000, expired_at: 1_000_001_800 }
      : {},
  );

/** A proxy that notes what is asked of it, and answers with this status. */
async function startProxy(status = 200) {
  const asked: { to: string | undefined; authorization: string | undefined }[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, client: Socket) => {
    asked.push({ to: request.url, authorization: request.headers['proxy-authorization'] });
    client.on('error', () => client.destroy());
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host, port] = String(request.url).split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    return client.on('close', () => upstream.destroy());
  });
  return { asked, address: await listenOn(proxy) };
}

function openService(baseUrl: string, environment: Record<string, string>) {
  const { service, serviceProxy } = loadConfig({
    ...TEST_ENVIRONMENT,
    ...environment,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_NAME_PREFIX: 'svc',
  });
  return createPaymentService({
    service,
    proxy: serviceProxy,
    clock: createManualClock(),
    timeoutMs: 60_000,
  });
}

test('with SERVICE_PROXY=on every call goes through the proxy of HTTPS_PROXY, which is told its password', async () => {
  const target = await listenOn(createServer(answer));
  const { asked, address } = await startProxy();
  const on = {
    SERVICE_PROXY: 'on',
    HTTPS_PROXY: `http://shop:w%40rd@${address}`,
    HTTP_PROXY: `http://shop:w%40rd@${address}`,
  };
  await openService(`http://${target}`, on).getServerTime();
  const authorization = `Basic ${Buffer.from('shop:w@rd').toString('base64')}`;
  expect(asked).toEqual([{ to: target, authorization }]);
});

test('without SERVICE_PROXY, and for the hosts of NO_PROXY, calls go to the service directly', async () => {
  const target = await listenOn(createServer(answer));
  const { asked, address } = await startProxy();
  const variables = { HTTPS_PROXY: `http://${address}`, http_proxy: `http://${address}` };
  await openService(`http://${target}`, variables).getServerTime();
  await openService(`http://${target}`, {
    ...variables,
    SERVICE_PROXY: 'on',
    NO_PROXY: '127.0.0.1',
  }).getServerTime();
  expect(asked).toEqual([]);
});

test.each([407, 503])(
  'a proxy that answers %d: the call was not sent, and the error names the proxy',
  async (status) => {
    const target = await listenOn(createServer(answer));
    const { address } = await startProxy(status);
    const service = openService(`http://${target}`, { SERVICE_PROXY: 'on', HTTP_PROXY: `http://${address}` });
    expect(await factsOf(service.getServerTime())).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringContaining(`PROXY_ANSWERED_${status}`) as string,
      mayHaveHappened: false,
    });
  },
);

test('TLS is not opened by the proxy: a certificate that is not verified is refused through it as well', async () => {
  const target = await listenOn(createTlsServer(selfSignedCertificate('127.0.0.1'), answer));
  const { asked, address } = await startProxy();
  const service = openService(`https://${target}`, { SERVICE_PROXY: 'on', HTTPS_PROXY: `http://${address}` });
  expect(await factsOf(service.getServerTime())).toMatchObject({
    kind: 'unreachable',
    detail: expect.stringMatching(/CERT|UNABLE/),
  });
  expect(asked).toEqual([{ to: target, authorization: undefined }]);
});

test('a proxy that is needed and not named, or named by what is no URL, is refused without its value', () => {
  const problems = (environment: Record<string, string>) => {
    try {
      loadConfig({ ...PRODUCTION_ENVIRONMENT, SERVICE_PROXY: 'on', ...environment });
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  expect(problems({})).toEqual([expect.stringMatching(/^SERVICE_PROXY: needs HTTPS_PROXY/)]);
  for (const url of ['c4nary:3128', 'socks5://c4nary:1080', 'proxy c4nary']) {
    expect(problems({ HTTPS_PROXY: url })).toEqual([expect.stringMatching(/^HTTPS_PROXY: must be the URL/)]);
    expect(problems({ HTTPS_PROXY: url }).join()).not.toContain('c4nary');
  }
  expect(problems({ https_proxy: 'http://proxy.example.com:3128' })).toEqual([]);
});

test('a service on another machine that is called without the proxy of the host causes a warning', () => {
  const ignores = (environment: Record<string, string>) =>
    loadConfig({ ...PRODUCTION_ENVIRONMENT, ...environment }).ignoresProxy;
  const variables = { HTTPS_PROXY: 'http://proxy.example.com:3128' };
  expect([ignores({}), ignores(variables), ignores({ ...variables, SERVICE_PROXY: 'on' })]).toEqual([
    false,
    true,
    false,
  ]);
  expect(loadConfig({ ...TEST_ENVIRONMENT, ...variables }).ignoresProxy).toBe(false);
});
