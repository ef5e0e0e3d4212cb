import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

const DEVICE_COUNT = 5;

/** One attempt alone may miss the moment at which a server errs. */
const ROUNDS = [1, 2] as const;
const confirmAtOnce = (round: number) => `confirm at once, time ${round}`;

export const oneCodeAtOnce = flow({
  id: 'one-code-at-once',
  title: 'One code is confirmed by several devices at the same moment',
  needs: ['requestOtp', 'confirmOtp'],
  people: ROUNDS.length,
  async play(driver) {
    for (const round of ROUNDS) {
      const abe = await driver.user(`Abe ${round}`);
      const code = await driver.code(abe, `request a code, time ${round}`);
      const devices = Array.from({ length: DEVICE_COUNT }, (_, index) =>
        driver.otherDevice(abe, `Abe ${round}, device ${index + 1}`),
      );
      await driver.atOnce(
        devices.map((user) => ({ user, step: 'confirmOtp', label: confirmAtOnce(round), options: { code } })),
      );
    }
  },
  checks: [
    check({
      id: 'code-works-once-at-once',
      title: 'A code that several devices confirm at the same moment opens one session',
      requirements: ['K-code-once'],
      judge(steps) {
        const rounds = ROUNDS.map((round) => steps.all(confirmAtOnce(round)));
        // Ends the judgement if nothing was played.
        if (rounds.flat().length === 0) steps.of(confirmAtOnce(1));
        for (const opened of rounds.map((played) => played.filter(isDone))) {
          const sessions = new Set(opened.map((each) => yielded(each, 'token')));
          if (sessions.size > 1)
            return fault('one session', `${sessions.size} sessions were opened with one code`, ...opened);
        }
        const good = rounds.flat().filter(isDone);
        return good.length > 0 ? { right: good } : unclear('no confirmation succeeded', ...rounds.flat());
      },
      advice:
        'Use the code up in the statement that finds it right, before anything slow is done; whoever changes no row is refused.',
    }),
  ],
});
