/** How a client application is driven: a person's action goes in, what the person sees comes out. */
import type { Clock } from '#protocol/time/clock.ts';
import type { PersonStepName } from '../../../engine/journal/entry.ts';
import type { Env } from '../../../engine/party/file/fields.ts';

export type Action =
  | { do: 'signIn'; phone: string }
  | { do: 'enterCode'; code: string }
  | { do: 'fillForm'; values: FormValues }
  | { do: Button };

export type Button =
  | ('resend' | 'readPatient' | 'logout' | 'disconnect' | 'deleteAccount' | 'restart')
  /** `otherTab` goes to the other of two tabs, and opens it at first. */
  | ('reload' | 'back' | 'otherTab');

export const stepOfAction: Readonly<Record<Action['do'], PersonStepName>> = {
  signIn: 'signIn',
  resend: 'resend',
  enterCode: 'enterCode',
  fillForm: 'fillForm',
  readPatient: 'readPatient',
  logout: 'logOut',
  disconnect: 'disconnect',
  deleteAccount: 'deleteAccount',
  restart: 'restartClient',
  reload: 'reload',
  back: 'goBack',
  otherTab: 'otherTab',
};

/** What a person types into the form; `gender` is the number of the interface, `date` begins YYYY-MM-DD. */
export type FormValues = {
  name: string;
  surname: string;
  date: string;
  phone: string;
  gender?: number;
  medCardId?: string;
};

/** `code` asks for the one-time code, `form` for what identifies the patient, `error` is any other screen. */
export const screens = ['code', 'form', 'patient', 'signedOut', 'error'] as const;
export type Screen = (typeof screens)[number];

/**
 * `beside`: the title of the window, and the values of fields. `missing`: what the page lacks for the action, in
 * words; '' for nothing; left out where the driver cannot tell.
 */
export type Seen = { sees: Screen; text: string; beside?: string; missing?: string; patient?: unknown };

/** A text that a client keeps: in its storage, unless `place` says where. */
export type Kept = { text: string; place?: 'a cookie' | 'an address of the page' };

export type ClientDriver = {
  /** @throws DriverFailure when the client gives no answer that can be understood */
  act(action: Action): Promise<Seen>;
  /** Returns the setting whose time was up before the client had ended by itself. */
  leave(): Promise<'timeouts.leaveMs' | undefined>;
  kill(): Promise<void>;
  /** What the person sees without an action; absent where an action alone shows it. */
  look?(): Promise<Seen>;
  /** What it has written to its log since the last call; absent where the kit cannot look into the log. */
  logged?(): readonly string[];
  kept?(): Promise<readonly Kept[]>;
};

export class DriverFailure extends Error {
  readonly what: 'unreachable' | 'ended' | 'timeout' | 'unexpected-answer';

  constructor(message: string, { what, ...options }: ErrorOptions & { what: DriverFailure['what'] }) {
    super(message, options);
    this.what = what;
  }
}

/**
 * The zone in which a client runs unless its file says otherwise: east of Greenwich until 1969 (+11), and then
 * west (-12 until 1993). A date of birth that a zone shifts is seen with one of the people.
 */
export const ZONE = 'Pacific/Kwajalein';

export type DriversParts = {
  authUrl: string;
  ehrUrl: string;
  /** Where a page that the kit starts listens; 0: a free port. */
  port: number;
  timeouts: { actionMs: number; leaveMs: number };
  clock: Clock;
  env: Env;
  signal: AbortSignal;
  mask: (text: string) => string;
};

/** What a form has unless it takes the phone from the sign-in. */
export const PHONE_IN_FORM = 'a phone in its form';

export type Drivers = {
  /** What a person can do with the client beyond the actions of every client, such as `reload`. */
  readonly can: ReadonlySet<string>;
  /**
   * @param storage a file for what survives the end of the application; new for each scenario
   * @param note takes what the user is to know, as a sentence
   */
  start(storage: string, note?: (text: string) => void): Promise<ClientDriver>;
  close(): Promise<void>;
};
