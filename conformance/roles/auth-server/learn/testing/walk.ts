/** For tests: how a client of a server is played while it is recorded. */
import type { Browser } from './browser.ts';

/** What a played client has. */
export type WalkParts = {
  browser: Browser;
  /** The address of the server. */
  url: string;
  phone: string;
  /** The codes that reach the phone: how many came, and the next one. */
  codeFor: { count(phone: string): Promise<number>; next(phone: string, since: number): Promise<string> };
  /** Links the user to a patient at the EHR server, and reads the record. Resolves to the signature. */
  linkAtEhr(exchangeToken: string, cred: { user: string; token: string }): Promise<string>;
};

/** Signs in with one wrong code first, links, logs out, signs in again, and deletes the user. */
export type Walk = (parts: WalkParts) => Promise<void>;

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends JSON as an application does. */
export const sendJson = (
  browser: Browser,
  url: string,
  json: unknown,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) => browser.send(url, { method, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(json) });
