import type { RequestListener } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { createLog } from '#service/process/log.ts';
import { clientsOf, createAuthority, replaceFiles, serveTls } from '#service/tls/testing-tls.ts';
import { openEhrFetch } from './ehr-tls.ts';

test("without these settings the platform's own way is taken", async () => {
  const none = {
    ehrUrl: 'http://127.0.0.1:4100',
    ehrCa: undefined,
    ehrClientCert: undefined,
    ehrClientKey: undefined,
  };
  expect(await openEhrFetch(none, manualClock(), createLog('test', 'silent'))).toBeUndefined();
});

test('a renewed client certificate is shown after SIGHUP, calls go on', async () => {
  const authority = await createAuthority();
  const held: (() => void)[] = [];
  const answerWithName: RequestListener = ({ socket, url }, response) => {
    const answer = () => void response.end(String((socket as TLSSocket).getPeerCertificate().subject.CN));
    if (url === '/held') held.push(answer);
    else answer();
  };
  const server = await serveTls(
    await authority.issue('server'),
    { clientCa: clientsOf(authority) },
    answerWithName,
  );
  const own = await authority.issue('former');
  const clock = manualClock();
  const config = { ehrUrl: server.url, ehrCa: authority.ca, ehrClientCert: own.cert, ehrClientKey: own.key };
  const way = await openEhrFetch(config, clock, createLog('test', 'silent'));
  onTestFinished(() => way?.close());
  const call = async (path: string) => (await way?.fetch(`${server.url}${path}`, {}))?.text();
  const underWay = call('/held');
  while (held.length === 0) await new Promise(setImmediate);
  expect(await call('/')).toBe('former');
  replaceFiles(own, await authority.issue('next'));
  process.emit('SIGHUP');
  expect(await call('/')).toBe('next');
  held[0]?.();
  expect(await underWay).toBe('former');
});
