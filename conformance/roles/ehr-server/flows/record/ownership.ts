/** Checks that each user has an own user_sign and patient, and that no reply tells what belongs to others. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64urlOf, bytesInBase64, bytesInHex } from '#protocol/wire/bytes.ts';
import { hashBytes } from '#protocol/wire/hashes.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry, ObservationEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { type EhrFlow, flow, nothingNoted, type RuleOfAllFlows, ruleOfAllFlows } from '../../flow.ts';
import { METHODS } from '../../world/messages.ts';
import { PATIENT_HELD } from '../../world/patients.ts';
import { REPLIES_SEARCHED, SIGN_OF_OTHER } from '../../world/reply-search.ts';
import type { Linked } from '../../world/world.ts';

export const ownershipRules: readonly RuleOfAllFlows[] = [
  ruleOfAllFlows<ObservationEntry>('replies-tell-nothing-of-others', {
    title: 'No reply tells a user, a token, a user_sign or a record that belongs to somebody else',
    requirements: ['X-others-untold'],
    of: (journal) =>
      journal.observationsOf(REPLIES_SEARCHED).filter(({ values }) => Number(values.searched) > 0),
    nothing: { notApplicable: 'no reply was searched' },
    judge: toldIn,
    advice:
      'Put into a reply what belongs to the user of the call, and name no other user or patient in an error.',
  }),
  // A later scenario that meets a linked patient is played again with another patient.
  ruleOfAllFlows<ExchangeEntry>('patients-let-go', {
    title:
      'A patient is linked to the user whom the exchange token names, and free again when that link is removed',
    requirements: ['K-patient-let-go'],
    of: (journal) => journal.exchanges('client->ehr', METHODS.authenticate),
    nothing: { notApplicable: 'nobody was linked' },
    judge: judgeHeld,
    advice:
      'Look at that scenario: authenticate linked a user whom its exchange token does not name or whom it refused, or a removal left the link. If somebody else uses these patients, name others in the file.',
  }),
];

function toldIn(searched: readonly ObservationEntry[], journal: JournalView): Judgement {
  const found = searched.filter(({ values }) => values.told !== '');
  const [first] = found;
  if (!first) return { right: searched.flatMap(({ scenario: id }) => journal.stepsOf({ id }).slice(0, 1)) };
  const steps = found.flatMap(({ scenario, values }) =>
    journal.steps({ scenario, label: String(values.step) }),
  );
  // One step for each thing that was told: what was told counts, and not how often.
  const stepOf = new Map([...found].reverse().map(({ values }) => [values.told, values.step]));
  const words = [...stepOf].reverse().map(([told, step]) => `${told} (at "${step}")`);
  const isSignAlone = stepOf.size === 1 && stepOf.has(SIGN_OF_OTHER);
  return {
    expected: 'replies about the user of the call alone',
    actual: `${words.slice(0, 3).join('; ')} (${found.length} times)`,
    shownBy: steps.length > 0 ? steps : journal.stepsOf({ id: first.scenario }),
    // The very advice of the check that finds signatures which are not of one user: it is one fault.
    ...(isSignAlone && { advice: OWN_SIGNATURES }),
  };
}

function judgeHeld(_links: unknown, journal: JournalView): Judgement {
  const held = journal.observationsOf(PATIENT_HELD);
  if (held.length === 0) return undefined;
  const since = [...new Set(held.map(({ scenario }) => scenario))];
  return {
    // These could not go on without the patient.
    explains: held.map(({ values }) => String(values.met)),
    expected: 'patients who are free when the links that the kit made are removed',
    actual: `a patient stays linked to somebody, since the scenario ${since.join(', and another since ')}`,
    shownBy: since.flatMap((id) => journal.stepsOf({ id })),
  };
}

/** As for the tokens of an authorization server: so many bits cannot be guessed. */
const MIN_OWN_BITS = 72;

const knownOf = ({ session, recordId, exchangeToken, person }: Linked): string[] => [
  session.user,
  session.token,
  exchangeToken,
  recordId,
  person.phone,
  `${person.name}${person.surname}`,
  person.date,
];

/** What a server may put between two values before it hashes them. */
const SEPARATORS = ['', ':', '|', '-', '.', '_', ' '];

/** A shorter text can occur in a random signature by chance. */
const MIN_KNOWN_CHARS = 6;

/** Whether a signature contains a known value, or a hash of one or two known values. */
function isDerived(sign: string, linked: Linked, more: readonly string[]): boolean {
  const known = [...knownOf(linked), ...more].filter(Boolean);
  const decoded = [bytesInBase64(sign), bytesInHex(sign)].map((bytes) => new TextDecoder().decode(bytes));
  const isHeld = (text: string) =>
    text.length >= MIN_KNOWN_CHARS && [sign, ...decoded].some((one) => one.includes(text));
  if (known.some(isHeld)) return true;
  const pairs = known.flatMap((one) =>
    known.flatMap((two) => SEPARATORS.map((between) => `${one}${between}${two}`)),
  );
  return [...known, ...pairs].some((text) =>
    (['md5', 'sha1', 'sha256', 'sha512'] as const).some((algorithm) => {
      const hash = hashBytes(algorithm, text);
      return [bytesToHex(hash), base64urlOf(hash)].some((form) => sign.includes(form));
    }),
  );
}

function ownChars(one: string, two: string): number {
  const length = Math.min(one.length, two.length);
  let begin = 0;
  while (begin < length && one[begin] === two[begin]) begin++;
  let end = 0;
  while (end < length - begin && one.at(-1 - end) === two.at(-1 - end)) end++;
  return length - begin - end;
}

function bitsOfChar(...texts: string[]): number {
  if (texts.every((text) => /^[0-9-]+$/.test(text))) return Math.log2(10);
  return texts.every((text) => /^[0-9a-f-]+$/i.test(text)) ? 4 : 6;
}

function faultOf(links: readonly Linked[], more: readonly string[]): string {
  for (const [index, linked] of links.entries()) {
    if (isDerived(linked.userSign, linked, more)) return 'a hash of what is known of the link';
    for (const before of links.slice(0, index)) {
      // A user may keep one signature: whether a new link renews it is judged elsewhere.
      if (before.session.user === linked.session.user) continue;
      if (before.userSign === linked.userSign) return 'the user_sign of another user';
      const own = ownChars(before.userSign, linked.userSign);
      if (own * bitsOfChar(before.userSign, linked.userSign) < MIN_OWN_BITS)
        return `${own} characters that differ from another user's`;
    }
  }
  return '';
}

const OWN_SIGNATURES =
  'Draw 32 random bytes for each link; compute a user_sign from nothing, and forget it with its link.';

export const signatureFlows: readonly EhrFlow[] = [
  flow('signature-of-each-link', {
    title:
      'Each user has a user_sign of their own that follows from nothing known; that of another saves nothing',
    requirements: ['K-sign-unguessable'],
    judge: nothingNoted(
      `a user_sign of ${MIN_OWN_BITS} random bits or more for each user`,
      'save with its own',
    ),
    explains: ['nobody-saved-by-params', 'save-digest-verified'],
    advice: OWN_SIGNATURES,
    async play(world) {
      const first = await world.linked();
      await world.disconnected(first);
      const { person } = first;
      const again = await world.linked(world.again(first));
      await world.disconnected(again);
      // Whether a disconnect frees the patient for another user is left to the server.
      const taken = await world.pending({ person, session: world.session() });
      const { result } = await world.authenticate('another user links the patient', taken)();
      const heir = await world.linked(result.kind === 'done' ? world.again(taken) : {});
      const next = world.session(heir.session.user);
      const save = world.saveAuthInfo("save with the former user's", next, again.userSign);
      await world.refuses(save, 'not_authorized');
      await world.refuses(world.getPatient('read after it', next), 'not_authorized');
      const own = world.session(heir.session.user);
      await world.control(world.saveAuthInfo('save with its own', own, heir.userSign));
      const { user, password } = world.settings.internal;
      const links = [first, again, heir, await world.linked()];
      world.observe('save with its own', { fault: faultOf(links, [user, password]) });
    },
  }),
];
