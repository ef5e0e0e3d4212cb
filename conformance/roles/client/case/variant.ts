/** A client of the self-test as a party of a case. */
import type { CaseParty } from '../../../engine/case/told.ts';
import type { PlayOptions } from '../../../engine/defects/catalogue.ts';
import type { ClientVariant } from '../defects/index.mjs';
import { commandOf, EXAMPLES, playClient, TWIN } from '../self-test/play.ts';
import { clientFileSchema } from '../settings.ts';
import { partsOf } from './parts.ts';

/** The right client among the examples. It is part of the package; the variants of the self-test are not. */
export const RIGHT = 'plain-client/client.mjs';

/** The party that a variant is. `program`: what runs it. */
export function partyOf(
  { id, file }: ClientVariant,
  { signal }: Pick<PlayOptions, 'signal'>,
  program = TWIN,
): CaseParty {
  const command = commandOf(program);
  return {
    play: ({ scenarios }, tap) =>
      playClient({ signal, scenarios, tap, program, env: { DEFECT: id }, ...(file && { file }) }),
    async stand() {
      const settings = clientFileSchema(() => undefined).parse({
        ...{ name: id, client: { command }, ...file },
      });
      return {
        parts: (told) => partsOf(settings, { command, folder: EXAMPLES, env: {} }, told),
        env: { DEFECT: id },
        close: async () => undefined,
      };
    },
  };
}
