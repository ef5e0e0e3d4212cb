/** A client of the self-test as a party of a case. */
import type { CaseParty } from '../../../engine/case/told.ts';
import type { PlayOptions } from '../../../engine/defects/catalogue.ts';
import type { ClientVariant } from '../defects/index.mjs';
import { commandOf, EXAMPLES, playClient, TWIN } from '../self-test/play.ts';
import { clientFileSchema } from '../settings.ts';
import { partsOf } from './parts.ts';

/** The party that a variant is. */
export function partyOf({ id, file }: ClientVariant, { signal }: PlayOptions): CaseParty {
  const command = commandOf(TWIN);
  return {
    play: ({ scenarios }, tap) =>
      playClient({ signal, scenarios, tap, program: TWIN, env: { DEFECT: id }, ...(file && { file }) }),
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
