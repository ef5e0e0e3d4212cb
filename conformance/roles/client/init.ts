/**
 * Asks the few questions of `conformance init` about a client application, and writes the file from the
 * answers.
 */

import { addressOf } from '#protocol/site.ts';
import type { Asking } from '../../engine/cli/init/asking.ts';
import { evidenceOf } from '../../engine/learn/seen-fact.ts';
import { text, url, whole } from '../../engine/party/file/fields.ts';
import { browserText } from './learn/browser-text.ts';
import { isFixedHere, type SeenClient, type SeenServer } from './learn/seen-client.ts';

/** The ways in which a client can be driven: by a program, or by the kit in a browser. */
export const WAYS = ['program', 'browser'] as const;

/** The answers of the user. */
export type ClientChoices = {
  /** The client's name, for reports. */
  name: string;
  way: (typeof WAYS)[number];
  /** For a program its command, otherwise the address of the client's page. */
  place: string;
  /** Ports at which the kit listens as authorization server and as EHR server, as digits; 0: a free port. */
  authPort: string;
  ehrPort: string;
};

/** The answer to a question for a port: digits from 0 to 65535. */
const portText = text.refine(
  (value) => /^\d+$/.test(value) && whole(0, 65_535).safeParse(Number(value)).success,
  { error: 'must be a whole number from 0 to 65535' },
);

/**
 * Asks all questions on the terminal.
 * @param seen what a recording shows; its guesses are the usual answers
 */
export async function askClientChoices(
  { text: ask, choice }: Asking,
  seen?: SeenClient,
): Promise<ClientChoices> {
  const name = await ask('Name of your client, for reports', 'My client', text.max(100));
  const way = await choice('Who drives it?', waysFor(seen), {
    program: 'a program that turns lines into actions',
    browser: 'the kit, in a browser, as a person uses the page',
  });
  const place =
    way === 'program'
      ? await ask('Command of the program, without its arguments', './my-adapter', text)
      : await ask('Address of its page', seen?.address?.value ?? 'http://127.0.0.1:8080/', url);
  // The kit gives a program the addresses as arguments, so free ports will do. A page has fixed addresses.
  const usual = (server: SeenServer | undefined, port: string) =>
    way === 'program' ? '0' : portOf(server, port);
  const authPort = await ask(
    'Port at which it finds the authorization server (0: any)',
    usual(seen?.auth, '4191'),
    portText,
  );
  const ehrPort = await ask(
    'Port at which it finds the EHR server (0: any)',
    usual(seen?.ehr, '4192'),
    portText,
  );
  return { name, way, place, authPort, ehrPort };
}

/** The ways, with the one first that a recording suggests. */
function waysFor(seen: SeenClient | undefined): readonly [ClientChoices['way'], ...ClientChoices['way'][]] {
  if (!seen) return WAYS;
  return ['browser', 'program'];
}

/**
 * The port at which the kit must listen for a client that was recorded: any, where the page is told it; the
 * very port that the client called on this machine; else `usual`.
 */
function portOf(server: SeenServer | undefined, usual: string): string {
  if (!server) return usual;
  if (server.isInQuery) return '0';
  return isFixedHere(server) ? new URL(server.value).port : usual;
}

/**
 * Returns the text of the YAML file about the client.
 * @param seen what a recording shows; each guess stands with its evidence
 */
export function clientFileText(
  { name, way, place, authPort, ehrPort }: ClientChoices,
  seen?: SeenClient,
): string {
  const evidence = [seen?.auth, seen?.ehr].map((server) => server && evidenceOf(server.value, server));
  return `# How the conformance kit drives this client. Every key: ${addressOf.files}
name: ${JSON.stringify(name)}

${SECTIONS[way](JSON.stringify(place), seen)}
# Where the kit listens as authorization server and as EHR server; 0: a free port.
${evidence.join('')}ports: { auth: ${Number(authPort)}, ehr: ${Number(ehrPort)} }
`;
}

/** The section of the file for each way; `\${...}` are templates that the kit fills in at a run. */
const SECTIONS: Readonly<Record<ClientChoices['way'], (place: string, seen?: SeenClient) => string>> = {
  program: (place) => `client:
  # The kit writes a line for each action of a person to its input, and reads a line of what they see then.
  command: [${place}, "\${authUrl}", "\${ehrUrl}", "\${storage}"]
`,
  browser: (place, seen) => browserText(place, seen?.page),
};
