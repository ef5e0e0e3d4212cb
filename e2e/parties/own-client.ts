/** The web client without its page: its state machine and its calls. A browser test drives the page. */
import type { Action, ClientDriver, FormValues, Seen } from '#conformance/roles/client/drivers/driver.ts';
import { createMemory, storageOrSubstitute } from '#mock-client/flow/memory.ts';
import { type Flow, startFlow } from '#mock-client/flow/run-effects.ts';
import type { Draft, Ending, Step } from '#mock-client/flow/state.ts';
import { type ClientConfig, createRpc } from '#mock-client/rpc.ts';
import { failureMessage } from '#mock-client/texts/messages.ts';
import { sayIn } from '#mock-client/texts/texts.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { phoneKey } from '#protocol/wire/matching.ts';

export function startOwnClient(config: ClientConfig, clock: Clock): ClientDriver {
  const device = storage();
  const tab = storage();
  const open = () =>
    startFlow({ rpc: createRpc({ config, clock }), memory: createMemory(tab, device), clock });
  let flow = open();
  return {
    async act(action) {
      if (action.do === 'readPatient' || action.do === 'restart') flow = open();
      else send(flow, action, clock.now());
      await idle(flow);
      return seenAt(flow.current().step);
    },
    leave: async () => undefined,
    kill: async () => undefined,
  };
}

function storage() {
  return storageOrSubstitute(() => {
    throw new Error('A process has no storage of a browser.');
  });
}

const ENDINGS: Readonly<Partial<Record<Action['do'], Ending>>> = {
  logout: 'logout',
  disconnect: 'disconnect',
  deleteAccount: 'delete',
};

/** Does what the page does; other actions are of a browser. */
function send(flow: Flow, action: Action, at: number): void {
  const ending = ENDINGS[action.do];
  if (ending) end(flow, ending);
  if (action.do === 'signIn') {
    flow.send({ type: 'started_over' });
    flow.send({ type: 'attribute_changed' });
    flow.send({ type: 'attribute_submitted', attribute: { kind: 'phone', value: digitsOf(action.phone) } });
  }
  if (action.do === 'resend') flow.send({ type: 'new_code_asked' });
  if (action.do === 'enterCode') flow.send({ type: 'code_submitted', code: action.code });
  if (action.do === 'fillForm') flow.send({ type: 'form_submitted', draft: draftOf(action.values), at });
}

/** Tries the same ending again after a failure. Begins another ending from the screen before it. */
function end(flow: Flow, ending: Ending): void {
  const { step } = flow.current();
  if (step.at === 'ending' && step.ending === ending) {
    flow.send({ type: 'retried' });
    return;
  }
  if (step.at === 'ending') flow.send({ type: 'went_back' });
  flow.send({ type: 'ending_asked', ending });
}

function idle(flow: Flow): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (flow.current().waiting !== undefined) return;
      forget();
      resolve();
    };
    const forget = flow.subscribe(check);
    check();
  });
}

function seenAt(step: Step): Seen {
  const failure = 'problem' in step && step.problem ? failureMessage(step.problem) : undefined;
  const notice = 'notice' in step && step.notice ? sayIn('en')(step.notice) : undefined;
  const text = [notice, failure && `${failure.title}. ${failure.text}`].filter(Boolean).join(' ');
  switch (step.at) {
    case 'signIn':
      return { sees: 'signedOut', text: text || 'Please sign in.' };
    case 'code':
      return { sees: 'code', text: text || 'Please enter the code.' };
    case 'identify':
      return { sees: 'form', text: text || 'Find your record.' };
    case 'record':
      return { sees: 'patient', text: text || 'Your health record.', patient: step.patient };
    case 'ended':
      return { sees: 'signedOut', text: 'You are logged out.' };
    case 'checking':
    case 'ending':
      return { sees: 'error', text };
  }
}

const digitsOf = (phone: string) => phoneKey(phone) ?? phone;

function draftOf({ name, surname, date, phone, gender }: FormValues): Draft {
  const stated = ([0, 1, 2, 3] as const).find((each) => each === gender);
  return { strategy: 'PHONE', name, surname, date, gender: stated, phone: digitsOf(phone), medCardId: '' };
}
