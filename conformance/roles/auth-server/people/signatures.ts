/** The signatures (user_sign) of the kit's EHR server: of a form that shows losses, and long for some patients. */
import type { LocalMis } from '#ehr-server/mis/mis.ts';
import { type Random, systemRandom } from '#protocol/time/random.ts';
import type { Patient } from '#protocol/wire/fields.ts';

/** Knows whose next signature is long, and says so only when that patient links. */
export class LongSigns {
  /** By the phone of a patient: how many bytes the next signature has. */
  readonly #bytes = new Map<string, number>();
  /** The sizes of the signatures of those who were found. Each is drawn right after its search, in this order. */
  readonly #due: (number | undefined)[] = [];

  /** Gives this patient, at the next link, a signature of this many bytes. Base64url is a third longer. */
  give({ phones }: Pick<Patient, 'phones'>, bytes: number): void {
    for (const phone of phones) this.#bytes.set(phone, bytes);
  }

  /** Notes in each search for a patient how long the signature will be. */
  noting(mis: LocalMis): LocalMis {
    return {
      ...mis,
      match: (query) => {
        const found = mis.match(query);
        if (found.length === 1) this.#due.push(this.#bytes.get(query.phone ?? ''));
        return found;
      },
    };
  }

  /** How many bytes to draw for a signature at this moment; undefined: as many as usual. */
  take(): number | undefined {
    return this.#due.shift();
  }
}

/** The length of a user_sign. Other values of this length take the same form, which harms nothing. */
const SIGNATURE_BYTES = 32;

/** The upper six bits of a first byte; base64url writes them as `-`. The lower two bits stay random. */
const FIRST_DASH = 0b111110_00;

/** Draws signatures that begin with `-` and have a `_`: a server that loses these characters is found. */
export const signatureRandom =
  (longSigns: LongSigns): Random =>
  (length) => {
    if (length < SIGNATURE_BYTES) return systemRandom(length);
    const bytes = longSigns.take() ?? length;
    for (;;) {
      const drawn = systemRandom(bytes);
      drawn[0] = ((drawn[0] as number) & 0b11) | FIRST_DASH;
      if (Buffer.from(drawn).toString('base64url').includes('_')) return drawn;
    }
  };
