import { anna } from '#testing/people.ts';
import { startProcesses } from '#testing/processes.ts';
import { App } from './app.ts';
import { expect, proves, test } from './test.ts';

const PHONE = '79991112233';

test(
  'all three parties killed between every two steps: the flow goes on in the browser',
  proves(['2.4-remembered', 'D13-session-stored-at-once']),
  async ({ page }) => {
    const { urls, newestCode, killAll, restartAll, stop } = await startProcesses({ withClient: true });
    try {
      const app = new App(page, urls.client, newestCode);
      const crash = async () => {
        await killAll();
        await restartAll();
      };
      await app.open();
      await crash();
      const code = await app.requestCode(PHONE);
      await crash();
      await app.enterCode(code);
      await app.sees('Find your record');
      await crash();
      await app.findRecord({ ...anna, name: 'Olga' });
      await app.isTold('We could not find your record');
      await crash();
      await app.findRecord(anna);
      await app.seesRecordOf(anna);
      await crash();
      await page.reload();
      await app.seesRecordOf(anna);
      // With every party down the user sees a message, and nothing is lost.
      await killAll();
      await app.press('Log out');
      await app.sees('You are still signed in');
      await restartAll();
      await app.press('Try again');
      await app.sees('You are logged out');
      await crash();
      await app.press('Sign in again');
      await app.signIn(PHONE);
      await app.seesRecordOf(anna);
      await expect(page.getByRole('article')).toContainText('A-1001');
    } finally {
      await stop();
    }
  },
);
