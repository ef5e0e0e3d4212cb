import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, createAuthority } from '#service/tls/testing-tls.ts';
import { buildClient } from './build.ts';
import { listenerPair } from './config.ts';
import { type ClientServer, createClientServer } from './server.ts';

const ehrUrl = 'https://ehr.example.org:8443/base';
const authUrl = 'https://auth.example.org';
let server: ClientServer;

beforeAll(async () => {
  server = await createClientServer({ ehrUrl, authUrl, smsUrl: `${authUrl}/sms` });
});
afterAll(() => server.close());

const get = (path: string) => fetch(`${server.url}${path}`);

test('the page comes with everything it loads, all from its own server', async () => {
  const page = await get('/');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('cache-control')).toBe('no-store');
  const html = await page.text();
  expect(html).toContain('lang="en"');
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const file of files) {
    expect(file).toMatch(/^\/assets\//);
    const response = await get(file);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('immutable');
  }
  // No inline code or style, which the content security policy would refuse.
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});

test('the page learns its two servers and nothing else', async () => {
  const response = await get('/config.json');
  expect(await response.json()).toEqual({
    ehrUrl,
    authUrl,
    apiVersion: '1.0-alpha',
    smsUrl: `${authUrl}/sms`,
    ttlUnit: 'minutes',
  });
});

test('the page may connect to its servers alone, and nobody frames it', async () => {
  for (const path of ['/', '/config.json', '/nothing']) {
    const { headers } = await get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' https://ehr.example.org:8443 https://auth.example.org;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('health is answered, and what is not there is a JSON 404', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
  for (const path of [
    '/index.html',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/',
    '/nothing',
  ]) {
    const response = await get(path);
    expect(response.status, path).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('content-type')).toContain('application/json');
  }
});

test('without a page for messages the client gets no link to one', async () => {
  const other = await createClientServer({ ehrUrl, authUrl, apiVersion: '', ttlUnit: 'seconds' });
  expect(await (await fetch(`${other.url}/config.json`)).json()).toEqual({
    ehrUrl,
    authUrl,
    apiVersion: '',
    ttlUnit: 'seconds',
  });
  await other.close();
});

test('a port that is taken is named together with the remedy', async () => {
  await expect(createClientServer({ ehrUrl, authUrl, port: server.port })).rejects.toThrow(
    /npm run client -- --port \d+/,
  );
});

test('the page is served over TLS when a certificate is given', async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('server');
  const tls = listenerPair({ tlsCert: cert, tlsKey: key });
  const secured = await createClientServer({ ehrUrl, authUrl, tls });
  expect(secured.url).toMatch(/^https:/);
  expect(await ask(`${secured.url}/`, { ca: readFileSync(authority.ca) })).toMatchObject({ status: 200 });
  await secured.close();
});

test('what is built is not built again', async () =>
  expect(await buildClient()).toMatchObject({ fresh: false }));
