/** The user_sign is a secret of one link: nothing that is known gives it, and no other link has it. */
import { createHash } from 'node:crypto';
import { check, type EhrCheck, nothingNoted, refused } from '../../check.ts';
import type { Linked } from '../../world/world.ts';

/** Of signatures drawn at random fewer characters than this are never alike at both ends together. */
const MIN_OWN_CHARS = 32;

/** What of a link somebody else may know. */
const knownOf = ({ session, recordId, exchangeToken, person }: Linked): string[] => [
  session.user,
  session.token,
  exchangeToken,
  recordId,
  person.phone,
  `${person.name}${person.surname}`,
  person.date,
];

const SEPARATORS = ['', ':', '|', '-', '.', '_', ' '];

/** Shorter texts occur in random ones by chance. */
const MIN_KNOWN_CHARS = 6;

/** Whether a signature holds, or is a hash of, what is known of the link. */
export function isDerived(sign: string, linked: Linked, more: readonly string[]): boolean {
  const known = [...knownOf(linked), ...more].filter(Boolean);
  const decoded = (['base64url', 'hex'] as const).map((form) => Buffer.from(sign, form).toString());
  const isHeld = (text: string) =>
    text.length >= MIN_KNOWN_CHARS && [sign, ...decoded].some((one) => one.includes(text));
  if (known.some(isHeld)) return true;
  const pairs = known.flatMap((one) =>
    known.flatMap((two) => SEPARATORS.map((between) => `${one}${between}${two}`)),
  );
  return [...known, ...pairs].some((text) =>
    ['md5', 'sha1', 'sha256', 'sha512'].some((algorithm) => {
      const hash = createHash(algorithm).update(text).digest();
      return [hash.toString('hex'), hash.toString('base64url')].some((form) => sign.includes(form));
    }),
  );
}

/** How many characters of a signature are its own, where two are alike at their beginning or end. */
function ownChars(one: string, two: string): number {
  const length = Math.min(one.length, two.length);
  let begin = 0;
  while (begin < length && one[begin] === two[begin]) begin++;
  let end = 0;
  while (end < length - begin && one.at(-1 - end) === two.at(-1 - end)) end++;
  return length - begin - end;
}

function faultOf(links: readonly Linked[], more: readonly string[]): string {
  for (const [index, linked] of links.entries()) {
    if (isDerived(linked.userSign, linked, more)) return 'a hash of what is known of the link';
    for (const before of links.slice(0, index)) {
      if (before.userSign === linked.userSign) return 'the user_sign of another link';
      const own = ownChars(before.userSign, linked.userSign);
      if (own < MIN_OWN_CHARS) return `${own} characters that differ from another link's`;
    }
  }
  return '';
}

export const signatureChecks: readonly EhrCheck[] = [
  check({
    id: 'signature-of-each-link',
    title:
      'Each link has a user_sign of its own that follows from nothing known; that of another link saves nothing',
    requirements: ['D15-sign-random', 'D15-sign-per-link', 'D15-sign-renewed', '5.3-own-sign-needed'],
    control: ['save with its own'],
    expect: {
      "save with the former user's": refused('not_authorized'),
      'read after it': refused('not_authorized'),
    },
    async play(world) {
      const first = await world.linked();
      await world.disconnected(first);
      const { person } = first;
      const again = await world.linked(world.again(first));
      await world.disconnected(again);
      const heir = await world.linked({ person, session: world.session() });
      const next = world.session(heir.session.user);
      await world.saveAuthInfo("save with the former user's", next, again.userSign);
      await world.getPatient('read after it', next);
      await world.saveAuthInfo('save with its own', world.session(heir.session.user), heir.userSign);
      const { user, password } = world.settings.internal;
      const links = [first, again, heir, await world.linked()];
      world.observe('save with its own', { fault: faultOf(links, [user, password]) });
    },
    judge: nothingNoted('a user_sign of 256 random bits for each link', 'save with its own'),
    advice:
      'Draw 32 random bytes for each link; compute a user_sign from nothing, and forget it with its link.',
  }),
];
