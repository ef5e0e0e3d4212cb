/** Saves of sessions: whose they are, and that none comes before the code is confirmed. */
import { CAME_WITH_REFUSAL, otherCode } from '../codes/guesses.ts';
import { scenario } from '../scenario.ts';

export const whoseSession = scenario({
  id: 'whose-session',
  title:
    "A linked user returns with a wrong code and then with the right one; somebody else signs in with this user's signature; a user with two sessions links one",
  people: 3,
  needs: ['requestOtp', 'confirmOtp', 'exchangeToken'],
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Wim signs in',
    link: 'Wim links',
    requests: 'Wim requests a code for the return',
    wrong: 'returns with a wrong code',
    carried: 'exchange token with what the refusal of the wrong code carries',
    inventedInstead: 'exchange token with an invented value in its place',
    right: 'returns with the right code',
    token: 'exchange token after the return',
    foreign: "Ulf signs in with Wim's signature",
    phone: 'Uma signs in on the phone',
    laptop: 'Uma signs in on the laptop',
    laptopLinks: 'Uma links on the laptop',
    phoneBefore: 'exchange token on the phone, before the link on the laptop',
    phoneAfter: 'exchange token on the phone, after the link on the laptop',
  },
  async run(driver, steps) {
    const wim = await driver.user('Wim');
    await driver.signIn(wim, steps.signIn);
    await driver.link(wim, steps.link);
    const phone = await driver.user('Uma');
    await driver.signIn(phone, steps.phone);
    if (!(await driver.passResendPause())) return;
    await driver.together([
      async () => {
        const code = await driver.code(wim, steps.requests);
        const userSign = wim.userSign as string;
        await driver.perform(wim, 'confirmOtp', steps.wrong, {
          defect: 'the code differs from the one sent',
          input: { code: otherCode(code), userSign },
        });
        await driver.tryCarried(wim, CAME_WITH_REFUSAL, steps);
        await driver.perform(wim, 'confirmOtp', steps.right, { input: { code, userSign } });
        await driver.perform(wim, 'exchangeToken', steps.token);
        await driver.trySignIn(await driver.user('Ulf'), steps.foreign, {
          defect: 'the signature is of another user',
          input: { userSign },
        });
      },
      async () => {
        const laptop = driver.otherDevice(phone, "Uma's laptop");
        await driver.signIn(laptop, steps.laptop);
        await driver.perform(phone, 'exchangeToken', steps.phoneBefore);
        await driver.link(laptop, steps.laptopLinks);
        await driver.perform(phone, 'exchangeToken', steps.phoneAfter);
      },
    ]);
  },
});
