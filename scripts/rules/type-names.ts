/** One word, one thing: the name of a type stands for one thing in the whole tree. */
import type { Finding } from './finding.ts';

/** So many types may share a name without a reason: one beside another is told apart by its folder. */
const MAX_TYPES_OF_A_NAME = 2;

/** Names that more types share, each with the reason. */
const SHARED: Readonly<Record<string, string>> = {
  About: 'what a check is about, or a call',
  Answer: 'an HTTP answer, or what gives it: sent, received, faked or made by a pipeline',
  Asked: 'what was asked: of a self-test, by a request, in a batch',
  Change: 'a change of a journal, of a server or of what is typed, and between two reports',
  Contents: 'what a store holds: told by the server, by its command and by the console',
  Ending: 'how a call, an attack on a session and a session itself ended',
  Failure: 'what kept a call, a flow or a trouble from its end',
  Finding: 'what an examination found: a check, a search for canaries, a doctor, a rule',
  Flow: 'a flow of the kit and of the end-to-end tests, and the client’s own, which they play',
  Link: 'the link of a user to a patient, between two parties, and of a page to its server',
  Message: 'a message between parties, to a phone, and to the user of the client',
  Outcome: 'how a call, a check or a step of the model came out, and the calls that came out so',
  Person: 'a person whom a role, a flow or a journal knows',
  Places: 'the places that the file reads, searches or keeps things in',
  PlayOptions: 'how a variant is played: in the self-test of any role, and in that of one',
  Refusal: 'why a call was refused, by each party in its own members',
  Session: 'a session as the EHR server, the authorization server and the client keep it',
  Spec: 'the row of the method that the file implements',
  Store: 'the store of either server, and that of the page of the console',
  Told: 'what a call, a reply, a rule or a terminal tells',
  Trouble: 'a trouble that the role plays or the defect makes',
  Values: 'values by their names: of settings, of texts, of an entry',
};

/** Where the names with a reason stand. */
const LIST = 'scripts/rules/type-names.ts';

/** Programs of another make, which stand for themselves. */
const FOREIGN = /\.m?js$/;
const DECLARED = /^(?:export )?(?:abstract )?(?:type|interface|class) ([A-Z]\w*)/gm;

/** Reports names that more types share than may without a reason, and reasons that nobody needs any more. */
export function typeNamesRule(
  texts: readonly (readonly [file: string, text: string])[],
  shared: Readonly<Record<string, string>> = SHARED,
): Finding[] {
  const places = new Map<string, Finding[]>();
  for (const [file, text] of texts.filter(([name]) => !FOREIGN.test(name)))
    for (const { 1: name = '', index } of text.matchAll(DECLARED)) {
      const line = text.slice(0, index).split('\n').length;
      const message = `More than ${MAX_TYPES_OF_A_NAME} types are named ${name}: name this one by what it holds.`;
      places.set(name, [...(places.get(name) ?? []), { file, line, message }]);
    }
  const unused = Object.keys(shared).filter((name) => (places.get(name)?.length ?? 0) <= MAX_TYPES_OF_A_NAME);
  return [
    ...[...places].flatMap(([name, found]) =>
      Object.hasOwn(shared, name) ? [] : found.slice(MAX_TYPES_OF_A_NAME),
    ),
    ...unused.map((name) => ({ file: LIST, line: 1, message: `${name} needs no reason any more.` })),
  ];
}
