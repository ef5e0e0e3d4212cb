/** The EHR server shows a foreign certificate: a server that does not verify certificates is found. */
import type { WrongCertificate } from '../../../../engine/wire/tls-side.ts';
import { scenario } from '../scenario.ts';

export const certificates = scenario({
  id: 'certificates',
  title: 'The EHR server shows a certificate that nobody must trust',
  needs: ['confirmOtp', 'exchangeToken'],
  // All connections made meanwhile get the wrong certificate.
  when: 'last',
  steps: {
    signIn: 'signs in',
    before: 'before any wrong certificate',
    during: (wrong: WrongCertificate) => `while: ${wrong}`,
    afterwards: (wrong: WrongCertificate) => `after: ${wrong}`,
  },
  async run(driver, steps) {
    const { certificates: own } = driver;
    if (!own) return;
    const vera = await driver.user('Vera');
    await driver.signIn(vera, steps.signIn);
    await driver.perform(vera, 'exchangeToken', steps.before);
    for (const wrong of own.wrong) {
      const restore = own.show(wrong);
      await driver
        .perform(vera, 'exchangeToken', steps.during(wrong), { defect: `the certificate of the EHR server: ${wrong}` })
        .finally(() => driver.observe(steps.during(wrong), { connections: restore() }));
      await driver.perform(vera, 'exchangeToken', steps.afterwards(wrong));
    }
  },
});
