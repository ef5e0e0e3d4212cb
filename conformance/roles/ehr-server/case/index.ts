/** How a failing check of an EHR server is told as a case that stands alone. */

import type { Patient } from '#protocol/wire/fields.ts';
import type { CaseOpening, CaseRole } from '../../../engine/case/case-role.ts';
import { controlOrigin } from '../../../engine/case/control-origin.ts';
import type { Stand } from '../../../engine/case/told.ts';
import { openRestarter } from '../../../engine/party/process/restarter.ts';
import type { EhrVariant } from '../defects/defect.ts';
import type { EhrChange } from '../self-test/serve.ts';
import { openEhrUnderTest } from '../server-of-file.ts';
import { type EhrSettings, type KnownPerson, loadEhrFile } from '../settings.ts';
import { environmentOf, partsOf } from './parts.ts';
import { partyOf } from './variant.ts';

export const cases: CaseRole<EhrVariant> = {
  sides: { calls: ['client->ehr', 'auth->ehr'], party: ['client->ehr', 'auth->ehr'] },
  isAlike: true,
  standOf,
  async rightFor({ config, env, ...options }) {
    const { people, ttlUnit, replyId, origin, internal } = loadEhrFile(config, env).settings;
    const patients: EhrChange['patients'] = ([template]) => patientsOf(people, template as Patient);
    const right = rightFor({ people, ttlUnit, replyId, origin, internal });
    // A script that was made for the party is played with the right server, too.
    return partyOf({ patients, internal, ...right }, options);
  },
  variant: partyOf,
  rightOf: ({ settings }, options) => settings && partyOf(rightFor(settings), options),
};

async function standOf({ config, env, clock, seed, signal }: CaseOpening): Promise<Stand> {
  const ehr = await openEhrUnderTest({ loaded: loadEhrFile(config, env), clock, seed, env, signal });
  const { settings, server } = ehr;
  const restarter = await openRestarter(() => server.restart());
  const { advanceClock, restart } = settings.control;
  const forgets = settings.server.start?.keeps === 'memory' && server.canRestart;
  const control = controlOrigin([advanceClock, restart]) ?? new URL(settings.server.url).origin;
  return {
    parts: (told) => partsOf(settings, control, told),
    env: { ...environmentOf(settings, control), ...(server.canRestart && { RESTART: restarter.command }) },
    // Links that a faulty server does not remove would be in the way of the next script.
    ...(forgets && { reset: () => server.restart() }),
    async close() {
      await restarter.close();
      await ehr.close();
    },
  };
}

/** A server that is as these keys of its file say. */
function rightFor(settings: Partial<EhrSettings>): EhrChange {
  const { ttlUnit, replyId } = settings;
  const rules = { ...(ttlUnit && { ttlUnit }), ...(replyId && { replyId }) };
  return { settings, parts: (parts) => ({ rules: { ...parts.rules, ...rules } }) };
}

/** The patients of a file as records of the reference server, by the form of another record. */
function patientsOf({ matching, ambiguous, inactive }: EhrSettings['people'], template: Patient): Patient[] {
  const twice = ambiguous ? [ambiguous, ambiguous] : [];
  const known = [...matching, ...twice].map((person, index) => recordOf(person, `p-${index}`, template));
  if (!inactive) return known;
  return [...known, { ...recordOf(inactive, 'p-inactive', template), active: false, isActive: false }];
}

const recordOf = (
  { name, surname, date, phone, otherPhone, gender, medCardId }: KnownPerson,
  id: string,
  template: Patient,
): Patient => ({
  ...{ ...template, id, name, surname, birthdate: `${date}T00:00:00.000Z` },
  ...{ phones: [phone, ...(otherPhone === undefined ? [] : [otherPhone])], medcardNumber: medCardId ?? null },
  gender: (gender ?? template.gender) as Patient['gender'],
});
