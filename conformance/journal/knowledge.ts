/** What the observer knows in clear while a run goes on, and nobody afterwards: the internal secret, and every value that it has seen. */
import { Pseudonyms } from './pseudonyms.ts';

export class Knowledge {
  readonly pseudonyms = new Pseudonyms();
  readonly internalUser: string;
  readonly internalPassword: string;
  /** Patient properties that must not reach the authorization server: the value, and what it is. */
  readonly patientData: ReadonlyMap<string, string>;
  /** user_sign to the user whose it is. */
  readonly signs = new Map<string, string>();
  /** Exchange token to the user for whom it was saved. */
  readonly userOf = new Map<string, string>();
  readonly #tokens = { 'session-token': new Set<string>(), 'exchange-token': new Set<string>() };

  constructor(internalUser: string, internalPassword: string, patientData: ReadonlyMap<string, string>) {
    this.internalUser = internalUser;
    this.internalPassword = internalPassword;
    this.patientData = patientData;
    if (internalPassword !== '') this.pseudonyms.seek('password', internalPassword, { whole: true });
    for (const stem of patientData.keys()) this.pseudonyms.seek('patient-data', stem, { whole: false });
  }

  /** A signature that the EHR server gave out for `user`. */
  learnSign(sign: string, user: string): void {
    this.signs.set(sign, user);
    this.pseudonyms.learn('user-sign', sign);
  }

  /** Earlier tokens of a kind when `token` is new, undefined when it was seen before. Remembers it. */
  firstSight(kind: 'session-token' | 'exchange-token', token: string): string[] | undefined {
    const seen = this.#tokens[kind];
    if (seen.has(token)) return undefined;
    const earlier = [...seen].slice(-20);
    seen.add(token);
    return earlier;
  }
}
