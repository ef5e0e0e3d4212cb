/** A person goes on after a trouble: they do what each screen asks for, until their record is there. */
import type { StepResult } from '../../engine/journal/entry.ts';
import type { Action, FormValues, Screen } from './drivers/driver.ts';
import type { Person } from './people/people.ts';

type Acts<L> = {
  act(label: L, action: Action): Promise<StepResult>;
  enterCode(label: L, person: Person): Promise<StepResult>;
  fillForm(label: L, values: FormValues): Promise<StepResult>;
  press(label: L, what: 'readPatient' | 'resend'): Promise<StepResult>;
};

/** How many screens a person answers, after the first, before they give up. */
const MAX_TURNS = 6;

export const sees = (result: StepResult, screen: Screen): boolean =>
  result.kind === 'done' && result.values.sees === screen;

export function inWords(result: StepResult): string {
  if (result.kind === 'done') return `the person sees ${result.values.sees}: ${result.values.text}`;
  return result.kind === 'failed' ? result.detail : result.kind;
}

type Way<L> = { label: L; person: Person; screen: string | undefined };

export async function goOn<L>(acts: Acts<L>, { label, person, screen }: Way<L>): Promise<void> {
  // The person answers a code or a form at once. An error or a record may be old: they read it again.
  let seen = screen === 'code' || screen === 'form' ? screen : undefined;
  for (let turn = 0; turn <= MAX_TURNS && seen !== 'patient'; turn++) {
    const before = seen;
    const result = await answer(acts, label, seen, person);
    if (result.kind !== 'done') return;
    // A screen that comes again leads nowhere: in the next turn the person opens the record.
    seen = result.values.sees === before ? undefined : result.values.sees;
  }
}

function answer<L>(acts: Acts<L>, label: L, screen: string | undefined, person: Person): Promise<StepResult> {
  if (screen === 'form') return acts.fillForm(label, person.form);
  if (screen === 'code') return enterNewCode(acts, label, person);
  if (screen === 'signedOut') return acts.act(label, { do: 'signIn', phone: person.signIn });
  return acts.press(label, 'readPatient');
}

async function enterNewCode<L>(acts: Acts<L>, label: L, person: Person): Promise<StepResult> {
  const result = await acts.enterCode(label, person);
  if (!sees(result, 'code')) return result;
  await acts.press(label, 'resend');
  return acts.enterCode(label, person);
}
