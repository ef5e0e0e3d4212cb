/** Opens the browser in which a run drives the client, and the server of its page, as the file says. */
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { rootCertificates } from 'node:tls';
import type { Browser, BrowserType } from '@playwright/test';
import { type Clock, deadline, pause } from '#protocol/time/clock.ts';
import { quoted } from '../../../../engine/harmless.ts';
import { CERTIFICATE_ERROR } from '../../../../engine/party/explain-unreachable.ts';
import type { Env } from '../../../../engine/party/file/fields.ts';
import { AdapterFileError } from '../../../../engine/party/file/problem.ts';
import { type Child, runChild } from '../../../../engine/party/process/child.ts';
import { choosePorts, ServerStartError } from '../../../../engine/party/process/server-process.ts';
import { fill, variablesIn } from '../../../../engine/party/requests/template.ts';
import { people } from '../../people/people.ts';
import { type Drivers, type DriversParts, PHONE_IN_FORM } from '../driver.ts';
import { BrowserDriver } from './driver.ts';
import { findBrowser, placesHere } from './find-browser.ts';
import { NOTE_TIMERS, QuietTime } from './screen.ts';
import type { BrowserSettings } from './settings.ts';

type Page = Pick<BrowserSettings, 'address' | 'authority'>;

type PageServerParts = {
  variables: Readonly<Record<'authUrl' | 'ehrUrl' | 'port' | 'node', string>>;
  clock: Clock;
  env: Env;
  signal: AbortSignal;
  mask: (text: string) => string;
};

/** Playwright asks for a home when it is loaded, and a user without an entry, as in containers, has none. */
export function ensureHome(home: () => string = homedir): void {
  try {
    home();
  } catch {
    process.env.HOME = tmpdir();
  }
}

const STOP_WITHIN_MS = 2_000;
const POLL_INTERVAL_MS = 50;

/** @throws ServerStartError when the page does not answer; nothing is left running */
async function startPageServer(
  { address, start, ...page }: Page & { start: NonNullable<BrowserSettings['start']> },
  { variables, clock, env, signal, mask }: PageServerParts,
): Promise<Child> {
  const command = start.command.map((argument) => fill(argument, variables) ?? '');
  const own = Object.fromEntries(
    Object.entries(start.env).map(([name, value]) => [name, fill(value, variables) ?? '']),
  );
  const child = await runChild(
    { command, cwd: start.cwd ?? '.', env: { ...env, ...own } },
    { clock, stopWithinMs: STOP_WITHIN_MS, show: mask, onLine: () => undefined },
  ).catch((cause: Error) => {
    throw new ServerStartError(`The client does not start (${command[0]}): ${cause.message}`, { cause });
  });
  const limit = deadline(clock, start.readyWithinMs, new Error('The time is up.'));
  const stop = AbortSignal.any([signal, limit.signal]);
  try {
    while (!(await answers({ address, ...page }, stop))) {
      signal.throwIfAborted();
      const why =
        child.ended() ??
        (limit.signal.aborted ? `did not answer within ${start.readyWithinMs} ms` : undefined);
      if (why !== undefined) {
        const said = child.output().slice(-5).map(quoted).join('\n');
        throw new ServerStartError(`The client at ${address} ${why}. Its last lines:\n${said}`);
      }
      await pause(clock, POLL_INTERVAL_MS, signal);
    }
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  } finally {
    limit.cancel();
  }
}

/** False: it does not answer yet. @throws AdapterFileError when its certificate is not accepted */
function answers({ address, authority }: Page, signal: AbortSignal): Promise<boolean> {
  const ca = authority === undefined ? {} : { ca: [...rootCertificates, readAuthority(authority)] };
  const { get } = address.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const asked = get(address, { ...ca, agent: false, signal }, (answer) => {
      answer.resume();
      resolve(true);
    });
    asked.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (!CERTIFICATE_ERROR.test(code)) return resolve(false);
      const remedy = 'Name its authority as browser.authority, and check that it carries this host name.';
      reject(new AdapterFileError(`The certificate of ${address} is not accepted (${code}). ${remedy}`));
    });
  });
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AdapterFileError(`browser.authority: the file ${file} cannot be read.`, { cause });
  }
}

/** @throws AdapterFileError when there is no browser; ServerStartError when the page does not answer */
export async function openBrowser(settings: BrowserSettings, parts: DriversParts): Promise<Drivers> {
  const { clock, env, signal, mask, timeouts, authUrl, ehrUrl, port } = parts;
  const chosen = await choosePorts({ page: port });
  const variables = { authUrl, ehrUrl, port: String(chosen.page), node: process.execPath };
  const page = { ...settings, address: fill(settings.address, variables) ?? '' };
  const browser = await launch(settings.program ?? env.E2E_BROWSER);
  const { start } = page;
  const starting = start && startPageServer({ ...page, start }, { variables, clock, env, signal, mask });
  const isSecure = page.address.startsWith('https:');
  const [server, isTrusted] = await Promise.all([
    starting,
    starting ?? (isSecure && answers(page, signal)),
  ]).catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  const recorded = Object.values(people).flatMap(({ patient: { email, address, medcardNumber } }) =>
    [email, address, medcardNumber].filter((text) => typeof text === 'string'),
  );
  const typesPhone = page.actions.fillForm.some(
    ({ fill: field }) => field && variablesIn(field.with)?.some(({ name }) => name === 'phone'),
  );
  const pace = new QuietTime(settings.quietMs);
  const driving = { settings: page, pace, timeouts, clock, servers: [authUrl, ehrUrl], recorded };
  return {
    can: new Set([...page.can, ...(typesPhone ? [PHONE_IN_FORM] : [])]),
    async start(storage) {
      const kept = existsSync(storage) ? { storageState: storage } : {};
      const { language: locale, zone: timezoneId } = page;
      // A browser takes no authority from the kit: the kit itself has seen that it accepts the certificate.
      const about = { locale, timezoneId, ignoreHTTPSErrors: isSecure && Boolean(isTrusted) };
      const context = await browser.newContext({ reducedMotion: 'reduce', ...about, ...kept });
      await context.addInitScript(NOTE_TIMERS);
      return new BrowserDriver({ ...driving, context, storage });
    },
    async close() {
      await browser.close();
      await server?.stop();
    },
  };
}

const NO_PLAYWRIGHT =
  'A client in a browser is driven by Playwright, which is not installed: npm install @playwright/test';
const NO_BROWSER =
  'There is no Chrome or Chromium: install one, name it as browser.program, or let Playwright fetch its own: npx playwright install --only-shell chromium';

async function launch(given: string | undefined): Promise<Browser> {
  const chromium = await load();
  const executablePath = given || findBrowser(placesHere(chromium.executablePath()));
  if (executablePath === undefined) throw new AdapterFileError(NO_BROWSER);
  try {
    // In a container the browser runs as root, which its sandbox refuses.
    return await chromium.launch({
      executablePath,
      chromiumSandbox: process.getuid?.() !== 0,
      handleSIGINT: false,
    });
  } catch (cause) {
    const [first] = String((cause as Error).message).split('\n');
    throw new AdapterFileError(`The browser ${executablePath} does not start: ${first}`, { cause });
  }
}

async function load(): Promise<BrowserType> {
  try {
    ensureHome();
    return (await import('@playwright/test')).chromium;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new AdapterFileError(NO_PLAYWRIGHT, { cause });
  }
}
