import { MAX_RETRIES } from '../../../../engine/wire/troubles.ts';
import { SAVE_EXCHANGE_TOKEN } from '../../internal-calls.ts';
import { flow } from '../flow.ts';
import { met, type Place, TELL_AN_ERROR, troubleChecks } from './in-trouble.ts';

const PLACE: Place = {
  id: 'exchange-token',
  troubles: met,
  what: 'an exchange token is saved',
  method: SAVE_EXCHANGE_TOKEN,
  control: 'before any trouble',
  during: (id) => `while: ${id}`,
  afterwards: (id) => `after: ${id}`,
  toldAdvice: TELL_AN_ERROR,
  surviveAdvice: 'Keep no state of a failed call: no broken connection, no half-made session, no lock.',
};

/** One user meets all troubles that end by themselves. Each other trouble has a user of its own. */
const GROUPS = [
  met.filter(({ isEndless }) => !isEndless),
  ...met.filter(({ isEndless }) => isEndless).map((trouble) => [trouble]),
];

export const exchangeTokenTrouble = flow({
  id: 'exchange-token-trouble',
  title: 'The EHR server fails in every way while an exchange token is being saved',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: 1 + GROUPS.length,
  meetsSilence: true,
  async play(driver) {
    const ann = await driver.signedIn('Ann');
    await driver.mustSucceed(ann, 'exchangeToken', PLACE.control);
    await driver.forEach(
      GROUPS,
      ([first]) => `user of ${first?.id}`,
      async (user, group) => {
        await driver.signIn(user, `${user.name} signs in`);
        for (const { id, words, fault } of group) {
          const end = driver.fault(user, 'exchange-token', fault, MAX_RETRIES);
          await driver.perform(user, 'exchangeToken', PLACE.during(id), { defect: `the trouble: ${words}` });
          end();
          const { kind } = await driver.perform(user, 'exchangeToken', PLACE.afterwards(id));
          if (kind !== 'done') return;
        }
      },
    );
  },
  checks: troubleChecks(PLACE),
});
