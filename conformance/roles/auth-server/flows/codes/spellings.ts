import type { User } from '../../people/driver.ts';
import { flow } from '../flow.ts';

type Spelling = 'with a plus and blanks' | 'with a leading 8';

export const spellings = flow({
  id: 'spellings',
  title: 'One phone is written in several ways',
  needs: ['requestOtp', 'confirmOtp'],
  waits: ({ resend }) => 2 * resend,
  async play(driver) {
    const lia = await driver.user('Lia');
    await driver.signIn(lia, 'sign in as usual');
    for (const name of ['with a plus and blanks', 'with a leading 8'] as const) {
      const phone = SPELLINGS[name](lia.phone);
      if (phone === undefined || !(await driver.passResendPause())) continue;
      const device: User = driver.otherDevice(lia, `Lia, ${name}`);
      const since = await driver.messagesTo(lia);
      await driver.codes.take(1);
      const label = `request a code for the phone written ${name}` as const;
      const asked = await driver.perform(device, 'requestOtp', label, { phone });
      // A server may refuse the other spelling, or send the code to what it takes for another phone.
      const code =
        asked.kind === 'done' ? (await driver.codes.newest(lia, since, CODE_WAIT_MS))?.code : undefined;
      if (code !== undefined)
        await driver.perform(device, 'confirmOtp', `sign in with the phone written ${name}`, {
          ...{ phone, code },
          // In most countries a leading 8 is the phone of another person.
          ...(name === 'with a leading 8' && { defect: 'the phone has another spelling in some countries' }),
        });
    }
  },
  checks: [],
});

/** Limits the wait (ms) for a code. A code that has not come by then was sent to another phone. */
const CODE_WAIT_MS = 2_000;

/** Writes a phone in another way; undefined where it cannot be. The leading 8 is Russian. */
export const SPELLINGS: Readonly<Record<Spelling, (phone: string) => string | undefined>> = {
  'with a plus and blanks': (phone) => {
    const digits = phone.replace(/\D/g, '');
    const written = `+${digits.slice(0, -10)} (${digits.slice(-10, -7)}) ${digits.slice(-7, -4)}-${digits.slice(-4)}`;
    return digits.length > 10 && written !== phone ? written : undefined;
  },
  'with a leading 8': (phone) => (/^7\d{10}$/.test(phone) ? `8${phone.slice(1)}` : undefined),
};
