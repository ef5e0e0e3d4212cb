/** How a client application is driven: a person's action goes in, what the person sees comes out. */
import type { ClientStepName } from '../../../engine/journal/entry.ts';

export type Action =
  | { do: 'signIn'; phone: string }
  | { do: 'enterCode'; code: string }
  | { do: 'fillForm'; values: FormValues }
  | { do: Button };

/** What a person can press, with nothing to type. Those of the second group exist in a browser only. */
export type Button =
  | ('resend' | 'readPatient' | 'logout' | 'disconnect' | 'deleteAccount' | 'restart')
  /** `otherTab` goes to the other of two tabs, and opens it at first. */
  | ('reload' | 'back' | 'otherTab');

export const stepOfAction: Readonly<Record<Action['do'], ClientStepName>> = {
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

/**
 * The screens that a person can be on: `code` asks for the one-time code, `form` for the data that identify
 * the patient, `patient` shows the record, `signedOut` offers a sign-in, and `error` is any other screen.
 */
export const screens = ['code', 'form', 'patient', 'signedOut', 'error'] as const;
export type Screen = (typeof screens)[number];

/**
 * What a person sees after an action: the screen, its words, and the record where one is shown. `beside` has
 * what stands beside the words: the title of the window, and the values of fields.
 */
export type Seen = { sees: Screen; text: string; beside?: string; patient?: unknown };

export type ClientDriver = {
  /**
   * Performs an action, and returns what the person sees then.
   * @throws DriverFailure when the client gives no answer that can be understood
   */
  act(action: Action): Promise<Seen>;
  /** Lets the person leave the application. Resolves when it has ended. */
  leave(): Promise<void>;
  kill(): Promise<void>;
  /** What it has written to its log since the last call; absent where the kit cannot look into the log. */
  logged?(): readonly string[];
  /** The texts of its storage; absent where the kit cannot look into it. */
  kept?(): Promise<readonly string[]>;
};

export class DriverFailure extends Error {
  readonly what: 'unreachable' | 'ended' | 'timeout' | 'unexpected-answer';

  constructor(message: string, { what, ...options }: ErrorOptions & { what: DriverFailure['what'] }) {
    super(message, options);
    this.what = what;
  }
}

/**
 * Returns a function that performs actions in turns. The same action asked for twice before its turn begins
 * is one turn, performed with `isTwice`: a double click.
 * @param ready resolves when a turn may begin
 */
export function inTurns(
  perform: (action: Action, isTwice: boolean) => Promise<Seen>,
  ready: () => Promise<unknown> = () => Promise.resolve(),
): (action: Action) => Promise<Seen> {
  type Turn = { do: Action['do']; isTwice: boolean; seen: Promise<Seen> };
  let next: Turn | undefined;
  return (action) => {
    if (next?.do === action.do) {
      next.isTwice = true;
      return next.seen;
    }
    const turn: Turn = { do: action.do, isTwice: false, seen: ready().then(() => begin()) };
    const begin = () => {
      if (next === turn) next = undefined;
      return perform(action, turn.isTwice);
    };
    next = turn;
    return turn.seen;
  };
}
