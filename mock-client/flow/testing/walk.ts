/** Drives the state machine in tests: events in, calls out, replies by the test. No browser, no real time. */
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import type { Call, Failure, Method, Outcome, ResultOf, ServerName } from '../../calls.ts';
import { next } from '../machine.ts';
import { boot, type Snapshot, snapshotOf } from '../memory.ts';
import type {
  Attribute,
  Draft,
  Effect,
  Ending,
  FlowEvent,
  Model,
  Replied,
  Session,
  Step,
  UserEvent,
} from '../state.ts';

export const phone: Attribute = { kind: 'phone', value: '79990000001' };
export const session: Session = { user: 'u-1', token: 'token-of-the-session', ttl: 1440 };
export const cred = { user: 'u-1', token: 'token-of-the-session' };

/** Every value is unique to this form, so that a leak shows. */
export const draft: Draft = {
  strategy: 'PHONE',
  name: 'CanaryName',
  surname: 'CanarySurname',
  date: '1985-04-12',
  gender: 1,
  phone: '70001112233',
  medCardId: '',
};
export const cardDraft: Draft = {
  strategy: 'MEDCARD',
  name: '',
  surname: '',
  date: '',
  gender: undefined,
  phone: '70001112233',
  medCardId: 'CanaryCard',
};
export const CANARIES = ['Canary', '1985-04-12', '70001112233'];

export const patient: Patient = {
  id: 'CanaryId',
  created: '2024-03-01T00:00:00.000Z',
  active: true,
  isActive: true,
  surname: 'CanarySurname',
  middleName: null,
  name: 'CanaryName',
  phones: ['70001112233'],
  email: 'CanaryMail@example.org',
  gender: 1,
  birthdate: '1985-04-12T00:00:00.000Z',
  deceased: false,
  maritalStatus: 4,
  photo: null,
  familyMembers: [],
  address: 'CanaryStreet 1',
  medcardNumber: 'CanaryCard',
  insurances: [],
};

export const results: { [M in Method]: ResultOf<M> } = {
  'auth.request_otp': { digits: 6, expiresIn: 300, resendAfter: 30 },
  'auth.confirm_otp': { authInfo: { ...session }, linked: false },
  'auth.exchange_token': { exchangeToken: 'exchange-token-1' },
  'auth.report_link': {},
  'auth.logout': {},
  'auth.delete_user': {},
  'patient.get_patient': { patient, user_sign: 'sign-1', userSign: 'sign-1' },
  'embedded_storage.authenticate': { patient, user_sign: 'sign-1', userSign: 'sign-1' },
  'embedded_storage.remove_auth_info': {},
  'embedded_storage.remove_authentication': {},
};

/** A call without parameters within the session. */
export const sessionCall = (method: Method) => ({
  server: method.startsWith('auth.') ? 'auth' : 'ehr',
  method,
  params: {},
  cred,
});

/** One event of each kind that a user may cause. */
export const userEvents: { [Type in UserEvent['type']]: Extract<UserEvent, { type: Type }> } = {
  attribute_submitted: { type: 'attribute_submitted', attribute: phone },
  code_submitted: { type: 'code_submitted', code: '402913' },
  new_code_asked: { type: 'new_code_asked' },
  attribute_changed: { type: 'attribute_changed' },
  form_submitted: { type: 'form_submitted', draft, at: 0 },
  ending_asked: { type: 'ending_asked', ending: 'logout' },
  retried: { type: 'retried' },
  went_back: { type: 'went_back' },
  started_over: { type: 'started_over' },
};

export type Walk = {
  model(): Model;
  step<At extends Step['at']>(at: At): Extract<Step, { at: At }>;
  /** The pending call. */
  call(): Call;
  calls(): Call[];
  /** The signature stored on the device. */
  kept(): string | undefined;
  send(event: UserEvent): Walk;
  /** What the user does, as events. */
  enterPhone(): Walk;
  enterCode(code?: string): Walk;
  submit(time?: number, form?: Draft): Walk;
  end(ending: Ending): Walk;
  retry(): Walk;
  goBack(): Walk;
  /** Answers the pending call: with its usual result, with the given result, or with a failure. */
  succeed(result?: object): Walk;
  /** @param ehrReason the reason of the EHR server, which the authorization server passes on */
  fail(reason: Reason, ehrReason?: Reason): Walk;
  failBy(kind: 'unreachable' | 'timeout' | 'nonsense'): Walk;
  settle(outcome: Outcome): Walk;
  /** Reloads the page. A pending call is lost. */
  reload(): Walk;
  /** Sets the time of the next reply. */
  atTime(moment: number): Walk;
};

/** Starts a walk afresh, or from the snapshot of an earlier visit. */
export function walk(start?: Snapshot, keptSign?: string): Walk {
  let model: Model;
  let time = 0;
  let sign = keptSign;
  const calls: Call[] = [];

  const execute = (effect: Effect): void => {
    if (effect.type === 'call') calls.push(effect.call);
    if (effect.type === 'keep_sign') sign = effect.sign;
    if (effect.type === 'forget_sign') sign = undefined;
    if (effect.type === 'recall_sign') take({ type: 'sign_recalled', id: effect.id, sign });
  };
  const take = (event: FlowEvent): void => {
    const transition = next(model, event);
    model = transition.model;
    for (const effect of transition.effects) execute(effect);
  };
  const begin = (snapshot: Snapshot | undefined): void => {
    const started = boot(snapshot);
    model = started.model;
    for (const effect of started.effects) execute(effect);
  };
  const call = (): Call => {
    const out = calls.at(-1);
    if (model.waiting === undefined || !out) throw new Error('No call is out.');
    return out;
  };

  const self: Walk = {
    model: () => model,
    step(at) {
      if (model.step.at !== at) throw new Error(`The step is ${model.step.at} and not ${at}.`);
      return model.step as never;
    },
    call,
    calls: () => calls,
    kept: () => sign,
    send(event) {
      take(event);
      return self;
    },
    ...actsOf((event) => self.send(event)),
    succeed: (result) => self.settle({ ok: true, result: result ?? results[call().method] } as Outcome),
    fail: (...reasons) => self.settle({ ok: false, failure: refused(call().server, ...reasons) }),
    failBy: (kind) => self.settle({ ok: false, failure: { kind, server: call().server } }),
    settle(outcome) {
      const { method } = call();
      take({ type: 'replied', id: model.waiting, at: time, method, outcome } as Replied);
      return self;
    },
    reload() {
      begin(snapshotOf(model));
      return self;
    },
    atTime(moment) {
      time = moment;
      return self;
    },
  };
  begin(start);
  return self;
}

/** What the user does, as events. */
function actsOf(send: Walk['send']) {
  return {
    enterPhone: () => send({ type: 'attribute_submitted', attribute: phone }),
    enterCode: (code = '402913') => send({ type: 'code_submitted', code }),
    submit: (time = 0, form = draft) => send({ type: 'form_submitted', draft: form, at: time }),
    end: (ending: Ending) => send({ type: 'ending_asked', ending }),
    retry: () => send({ type: 'retried' }),
    goBack: () => send({ type: 'went_back' }),
  };
}

/** Creates a refusal as a server of the contract sends it. */
export function refused(server: ServerName, reason: Reason, ehrReason?: Reason): Failure {
  const { code } = errorTable[reason];
  return {
    kind: 'refused',
    server,
    code,
    reason,
    errors: [],
    ehr: ehrReason && { code: errorTable[ehrReason].code, reason: ehrReason },
  };
}

/** Walks that stand at a step. */
export const at = {
  /** After a code was sent. */
  code: (keptSign?: string): Walk => walk(undefined, keptSign).enterPhone().succeed(),
  /** Signed in, while the record is being requested. */
  checking: (keptSign?: string): Walk => at.code(keptSign).enterCode().succeed(),
  /** At the identification form, for a user whom the EHR server does not know. */
  identify: (): Walk => at.checking().fail('not_authorized'),
  /** The form is submitted and the exchange token has arrived. The call of authenticate is pending. */
  authenticate: (): Walk => at.identify().submit().succeed(),
  /** At the record of a user who was already linked. */
  record: (): Walk => at.checking('sign-1').succeed(),
};
