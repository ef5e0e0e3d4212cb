/** How a person goes on after a trouble: does what each screen asks for, until their record is there. */
import type { StepResult } from '../journal/entry.ts';
import type { Action, FormValues, Screen } from './driver.ts';
import type { Person } from './people.ts';

/** What a person can do on the way, and the screen that they saw last. */
type Acts<L> = {
  readonly sees: string | undefined;
  act(label: L, action: Action): Promise<StepResult>;
  enterCode(label: L, person: Person): Promise<StepResult>;
  fillForm(label: L, values: FormValues): Promise<StepResult>;
  press(label: L, what: 'readPatient' | 'resend'): Promise<StepResult>;
};

/** Screens that a person answers before giving up. */
const MAX_TURNS = 6;

/** Whether a step ended with this screen. */
export const sees = (result: StepResult, screen: Screen): boolean =>
  result.kind === 'done' && result.values.sees === screen;

/** Reads, signs in or fills in the form, as the screens ask. The last step has the label. */
export async function goOn<L>(acts: Acts<L>, label: L, person: Person): Promise<void> {
  // A code or a form that stands there is gone on with at once, an error or a record is read anew.
  let seen = acts.sees === 'code' || acts.sees === 'form' ? acts.sees : undefined;
  for (let turn = 0; turn <= MAX_TURNS && seen !== 'patient'; turn++) {
    const before = seen;
    const result = await answer(acts, label, seen, person);
    if (result.kind !== 'done') return;
    // What leads nowhere is begun anew.
    seen = result.values.sees === before ? undefined : result.values.sees;
  }
}

/** Does what a screen asks for. */
function answer<L>(acts: Acts<L>, label: L, screen: string | undefined, person: Person): Promise<StepResult> {
  if (screen === 'form') return acts.fillForm(label, person.form);
  if (screen === 'code') return enterNewCode(acts, label, person);
  if (screen === 'signedOut') return acts.act(label, { do: 'signIn', phone: person.signIn });
  return acts.press(label, 'readPatient');
}

/** Enters the newest code; asks for another when that one does not lead on. */
async function enterNewCode<L>(acts: Acts<L>, label: L, person: Person): Promise<StepResult> {
  const result = await acts.enterCode(label, person);
  if (!sees(result, 'code')) return result;
  await acts.press(label, 'resend');
  return acts.enterCode(label, person);
}
