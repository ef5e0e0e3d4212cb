/** Trouble that can be made: on a wire, and with text messages. */
import type { Time, Wire } from './basics.ts';

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

/** Arms a fault. The next fitting calls meet it. */
export type ArmFault = {
  readonly wire: Wire;
  /** Name of a {@link FaultKind}. */
  readonly fault: string;
  /** JSON-RPC method. Absent: any call. */
  readonly method?: string;
  /** How many calls meet it, from 1; `untilOff` for all. Absent: 1. */
  readonly times?: number | 'untilOff';
  /** For `refuse`: the reason of an {@link InterfaceError}. */
  readonly reason?: string;
  /** For slow faults. Absent: the kit's own. */
  readonly delayMs?: number;
};

/** A fault that waits for calls. */
export type ArmedFault = ArmFault & {
  readonly id: number;
  /** How many calls will still meet it. */
  readonly left: number | 'untilOff';
  /** How many calls have met it. */
  readonly met: number;
};

/** Trouble with text messages on their way to the phone of the page. */
export type TextTrouble = {
  /** `outOfOrder`: a message is held back until the next one has come. */
  readonly kind: 'none' | 'late' | 'lost' | 'doubled' | 'outOfOrder';
  /** How many messages meet it. */
  readonly times: number | 'untilOff';
  /** For `late`, by the demo's clock. Absent: 30,000. */
  readonly delayMs?: number;
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
