/** Trouble that can be made: on a wire, and with text messages. */
import type { Time } from './basics.ts';
import type { ArmFault } from './bodies.ts';

/** A kind of trouble on a wire, by the kit's name. */
export type FaultKind = {
  readonly name: string;
  /** What happens, one sentence. */
  readonly title: string;
  /** The group for the page: cut, slow, refuse, lose the reply, nonsense. */
  readonly group: 'cut' | 'slow' | 'refuse' | 'reply-lost' | 'nonsense';
  /** Whether `delayMs` counts. */
  readonly hasDelay: boolean;
};

/** An error of the interface's table. */
export type InterfaceError = { readonly reason: string; readonly code: number; readonly message: string };

/** A fault that waits for calls. */
export type ArmedFault = ArmFault & {
  readonly id: number;
  /** How many calls will still meet it. */
  readonly left: number | 'untilOff';
  /** How many calls have met it. */
  readonly met: number;
};

/** A text message on the phone. Its code is in clear, as on a phone. */
export type TextMessage = {
  readonly id: number;
  /** Phone or e-mail address, as the authorization server writes it. */
  readonly to: string;
  readonly text: string;
  readonly code: string;
  readonly at: Time;
  readonly person?: string;
};
