/** One word, one thing: the name of a type stands for one thing in the whole tree. */
import type { Finding } from './finding.ts';

/** So many types may share a name without a reason: one beside another is told apart by its folder. */
const MAX_TYPES_OF_A_NAME = 2;

/** Names that more types share, each with the reason. */
const SHARED: Readonly<Record<string, string>> = {
  About: 'what a call or a check is about, in the file alone',
  Answer: 'an HTTP answer on either side of a wire: sent, faked or given by a pipeline',
  Asked: 'what one test or one defect asks for, in the file alone',
  Change: 'a change of a run, of a defect or of an attempt, each in its own folder',
  Contents: 'what a store holds: told by the server, by its command and by the console',
  Ending: 'how a session ends for the server, for others and for the client',
  Failure: 'what kept a call, a flow or a trouble from its end',
  Finding: 'what an examination found: a check, a search for canaries, a doctor, a rule',
  Flow: 'a flow of the kit, of the end-to-end tests and of the client, which are played alike',
  Link: 'the link of a user to a patient, and the address that a page links',
  Message: 'a text message, and a message between parties as the console and the reports show it',
  Outcome: 'how a call, a check or a step of the model came out',
  Person: 'a person of a role: each role lends its own',
  Places: 'where values stand in the thing that the file reads',
  PlayOptions: 'how the self-test of a role plays, one type a role',
  Refusal: 'why a call was refused, by each party in its own members',
  Session: 'a session as the EHR server, the authorization server and the client keep it',
  Spec: 'the row of the method that the file implements',
  Store: 'the store of either server, and that of the page of the console',
  Told: 'what a party was told, in the file or folder alone',
  Trouble: 'a trouble that the role plays or the defect makes',
  Values: 'values by their names: of settings, of texts, of an entry',
};

/** Programs of another make, which stand for themselves. */
const FOREIGN = /\.m?js$/;
const DECLARED = /^(?:export )?(?:abstract )?(?:type|interface|class) ([A-Z]\w*)\b(?! from)/gm;

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
  return [...places].flatMap(([name, found]) => {
    const isCrowded = found.length > MAX_TYPES_OF_A_NAME;
    if (isCrowded === Object.hasOwn(shared, name)) return [];
    const message = `${name} is listed in scripts/rules/type-names.ts, and needs no reason any more.`;
    return isCrowded
      ? found.slice(MAX_TYPES_OF_A_NAME)
      : found.slice(0, 1).map((one) => ({ ...one, message }));
  });
}
