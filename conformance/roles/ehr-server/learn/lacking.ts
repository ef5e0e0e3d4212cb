/** Says what a recording does not show of an EHR server, each with the one action that would show it. */
import type { SeenEhr } from './seen-ehr.ts';

/** What may be missing, with the action that shows it. */
const ACTIONS = {
  url: ['the public endpoint', 'sign in with your client, open the record and log out while it is recorded'],
  internalUrl: [
    'the endpoint of the internal channel',
    'give your authorization server the address of a recording (learn) as that of the EHR server, and sign in',
  ],
  replyId: ['the form of reply ids', 'send one call whose id is a number'],
  ttlUnit: ['the unit of ttl', 'record the calls of your authorization server (learn) while you sign in'],
  origin: ['a web origin that may call', 'record in a browser, with a page that calls the server'],
} as const satisfies Readonly<Record<keyof SeenEhr, readonly [string, string]>>;

/** One sentence for each. */
export function lackingEhr(seen: SeenEhr): string[] {
  return (Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])
    .filter((name) => seen[name] === undefined)
    .map((name) => `Not seen: ${ACTIONS[name][0]}. To show it, ${ACTIONS[name][1]}.`);
}
