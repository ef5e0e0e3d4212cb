/** Makes the adapter file of a recording of the server's own client; asks what it cannot show. */
import type { Asking } from '../../../engine/cli/commands/answers.ts';
import { InputError } from '../../../engine/input-error.ts';
import { headerIn, type SeenExchange } from '../../../engine/learn/exchange.ts';
import type { FileText } from '../../../engine/role.ts';
import { fileText } from '../init/file-text.ts';
import { askChoices, schemaFrom, USUAL_PHONES, variablesToSet } from '../init/questions.ts';
import { findSteps } from './find-steps.ts';
import { type ClientCall, callsOf, usesOf } from './read-calls.ts';
import { type LearnedSteps, learnedSteps } from './write-steps.ts';

type LearnedServer = LearnedSteps & { url: string; hasCode: boolean };

/** Infers how a client talks to the server. InputError says what to record. */
export function learnServer(exchanges: readonly SeenExchange[]): LearnedServer {
  const { calls, ehr } = callsOf(exchanges);
  const findings = findSteps(calls, ehr);
  const answer = findings?.signIn.confirm.exchange.answer;
  if (!findings || (answer?.body.kind === 'unsaved' && answer.cookies.length === 0))
    throw new InputError(`Failed to learn from the recording: ${whyNothing(exchanges, calls.length)}`);
  const { confirm, codes } = findings.signIn;
  const unread = exchanges.filter(({ request }) => request.body.kind === 'unsaved').length;
  if (codes.length === 0 && unread > 0)
    throw new InputError(
      `Failed to learn from the recording: ${unread} of its ${exchanges.length} requests have no content, and the code may be in one. ${WITH_CONTENT}`,
    );
  const { origin } = confirm.exchange.request.url;
  const steps = learnedSteps(findings);
  const { token } = findings.signIn;
  const isSent = token !== undefined && usesOf(token.value, confirm, calls).length > 0;
  const hidden = !isSent && credentialsHidden(exchanges) ? [HIDDEN] : [];
  const left = [...hidden, ...bodiesNotRead(calls), ...steps.left];
  return { ...steps, left, url: origin, hasCode: codes.length > 0 };
}

/** Names the calls of which a body is missing, or is no JSON though its type says so. */
function bodiesNotRead(calls: readonly ClientCall[]): string[] {
  const isUnread = ({ body, headers }: SeenExchange['request' | 'answer']) =>
    body.kind === 'unsaved' ||
    (body.kind === 'text' && /\bjson\b/i.test(headerIn(headers, 'content-type') ?? ''));
  const unread = calls.filter(
    ({ exchange: { request, answer }, isPage }) => !isPage && (isUnread(request) || isUnread(answer)),
  );
  if (unread.length === 0) return [];
  const titles = [...new Set(unread.map(({ title }) => title))].join(', ');
  return [
    `Nothing was learned from bodies of ${titles}: they are not in the recording, or are no JSON though their type says so. ${WITH_CONTENT}`,
  ];
}

const WITH_CONTENT = 'Please save it again with content: "Save all as HAR with content".';

function whyNothing(exchanges: readonly SeenExchange[], calls: number): string {
  const unsaved = exchanges.filter(({ answer }) => answer.body.kind === 'unsaved').length;
  if (unsaved > 0) return `${unsaved} of its ${exchanges.length} answers have no content. ${WITH_CONTENT}`;
  if (calls === 0) return 'it has pages and pictures alone. Please record while you sign in.';
  return `no call opens a session, among ${calls}. Please record from before the phone is typed in until after the logout.`;
}

/** Browsers leave cookies and Authorization headers out of a HAR, unless they are told otherwise. */
const credentialsHidden = (exchanges: readonly SeenExchange[]): boolean =>
  exchanges.every(({ request, answer }) =>
    [...request.headers, ...answer.headers].every(
      ([name]) => !/^(?:authorization|cookie|set-cookie)$/.test(name),
    ),
  ) && exchanges.some(({ request }) => request.headers.some(([name]) => name === 'user-agent'));

const HIDDEN =
  'The recording has neither cookies nor Authorization headers: check how the token is sent. Chrome writes them when "Allow to generate HAR with sensitive data" is on in the settings of its developer tools.';

export async function learnedFile(
  exchanges: readonly SeenExchange[],
  asking: Asking,
  file: string,
): Promise<FileText> {
  const { text, left, hasPlus, phoneDigits, variables, ...known } = learnServer(exchanges);
  const choices = await askChoices(asking, { ...known, phones: phonesLike(hasPlus, phoneDigits) });
  return {
    text: fileText(choices, schemaFrom(file), text),
    left: [
      ...left,
      variablesToSet(choices),
      ...variables.map((name) => `Set ${name} to what your client sends.`),
    ],
  };
}

/** A pattern of phones to which nothing real can be sent, in the form of those of the recording. */
function phonesLike(hasPlus: boolean, digits: number): string {
  // Ten digits are a Russian phone without the country.
  const pattern = digits === 10 ? USUAL_PHONES.slice(1) : USUAL_PHONES;
  return `${hasPlus ? '+' : ''}${pattern}`;
}
