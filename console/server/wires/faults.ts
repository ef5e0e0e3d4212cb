/** Faults that wait for calls on the wires: armed by the page, by a scenario, by curl. */
import type { FaultName } from '#conformance/engine/journal/entry.ts';
import type { Fault } from '#conformance/engine/wire/faults.ts';
import type { RecordingProxy } from '#conformance/engine/wire/proxy.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import type { ArmedFault, ArmFault, FaultKind, InterfaceError, Wire } from '../../api.ts';
import type { EventHub } from '../events.ts';
import { NotFound, NotPossible } from '../refused.ts';

const kind = (name: FaultName, group: FaultKind['group'], title: string, hasDelay = false): FaultKind => {
  return { name, group, title, hasDelay };
};

export const faultKinds: readonly FaultKind[] = [
  kind('down', 'cut', 'The connection is closed before the server is reached.'),
  kind('reset', 'cut', 'The connection is reset before the server is reached.'),
  kind('truncate', 'cut', 'The server answers, and half of the reply arrives.'),
  kind('late', 'slow', 'The reply comes late.', true),
  kind('split-reply', 'slow', 'The reply comes in three parts, with pauses.', true),
  kind('trickle', 'slow', 'The reply begins and never comes to its end.'),
  kind('hang', 'slow', 'There is no answer until the fault is switched off.'),
  kind('refuse', 'refuse', 'The call is refused with an error of the interface; the server is not reached.'),
  kind('http-500', 'refuse', 'The call is answered with HTTP 500; the server is not reached.'),
  kind('reply-lost', 'reply-lost', 'The server does its work, and its reply is lost.'),
  kind('not-json', 'nonsense', 'The answer is a page in HTML.'),
  kind('wrong-id', 'nonsense', 'The reply has the id of another call.'),
  kind('result-null', 'nonsense', 'The result is null.'),
  kind('no-result', 'nonsense', 'The reply has neither a result nor an error.'),
  kind('result-and-error', 'nonsense', 'The reply has both a result and an error.'),
  kind('error-text', 'nonsense', 'The error is a text.'),
  kind('array', 'nonsense', 'A single call is answered by a batch.'),
  kind('status-204', 'nonsense', 'The answer is HTTP 204 without a body.'),
  kind('duplicate-members', 'nonsense', 'The reply names id and result twice.'),
  kind('huge', 'nonsense', 'The reply is padded with eight megabytes of blanks.'),
];

export const interfaceErrors: readonly InterfaceError[] = Object.entries(errorTable).map(
  ([reason, { code, message }]) => ({ reason, code, message }),
);

type Kept = { fault: ArmedFault; isOfScenario: boolean; disarm: () => void };

/** The most faults that are armed at once. */
const MAX_ARMED = 50;

/** A call that meets one of these ends when it is switched off, so it stays to be switched off. */
export const ENDED_BY_DISARM: ReadonlySet<string> = new Set(['hang', 'trickle']);

export class Faults {
  readonly #proxies: Readonly<Record<Wire, Pick<RecordingProxy, 'arm'>>>;
  readonly #hub: EventHub;
  #armed: Kept[] = [];
  #lastId = 0;

  constructor(proxies: Readonly<Record<Wire, Pick<RecordingProxy, 'arm'>>>, hub: EventHub) {
    this.#proxies = proxies;
    this.#hub = hub;
  }

  list(): ArmedFault[] {
    return this.#armed.map(({ fault }) => fault);
  }

  /** The faults that a scenario armed, or that a hand armed, as they can be armed again for the times left. */
  left({ isOfScenario }: Pick<Kept, 'isOfScenario'>): ArmFault[] {
    return this.#armed
      .filter((kept) => kept.isOfScenario === isOfScenario)
      .map(({ fault: { id: _id, left, met: _met, ...armed } }) => ({ ...armed, times: left }));
  }

  /** @throws NotPossible when there is no such fault or error */
  arm(given: ArmFault, isOfScenario = false): ArmedFault {
    if (this.#armed.length >= MAX_ARMED)
      throw new NotPossible(`${MAX_ARMED} faults are armed. Please switch some off first.`);
    const id = ++this.#lastId;
    const times = given.times ?? 1;
    const disarm = this.#proxies[given.wire].arm({
      method: given.method,
      fault: kitFaultOf(given),
      times: times === 'untilOff' ? Number.POSITIVE_INFINITY : times,
      onMet: () => this.#onMet(id),
    });
    const fault: ArmedFault = { ...given, times, id, left: times, met: 0 };
    this.#armed.push({ fault, isOfScenario, disarm });
    this.#hub.publish('faults', this.list());
    return fault;
  }

  /**
   * Switches one off. Returns those that are left.
   * @throws NotFound when there is none of this id
   */
  disarm(id: number): ArmedFault[] {
    const found = this.#armed.find(({ fault }) => fault.id === id);
    if (!found) throw new NotFound('No fault of this id is armed.');
    this.#armed = this.#armed.filter((kept) => kept !== found);
    found.disarm();
    this.#hub.publish('faults', this.list());
    return this.list();
  }

  disarmAll(): ArmedFault[] {
    for (const { id } of this.list()) this.disarm(id);
    return this.list();
  }

  #onMet(id: number): void {
    this.#armed = this.#armed.flatMap((kept) => {
      const { fault } = kept;
      if (fault.id !== id) return [kept];
      const left = fault.left === 'untilOff' ? fault.left : fault.left - 1;
      if (left === 0 && !ENDED_BY_DISARM.has(fault.fault)) return [];
      return [{ ...kept, fault: { ...fault, left, met: fault.met + 1 } }];
    });
    this.#hub.publish('faults', this.list());
  }
}

function kitFaultOf({ fault: name, reason, delayMs }: ArmFault): Fault {
  const known = faultKinds.find((kind) => kind.name === name);
  if (!known)
    throw new NotPossible(
      `"${name}" is no fault. Known are ${faultKinds.map((kind) => kind.name).join(', ')}.`,
    );
  const error = interfaceErrors.find((row) => row.reason === reason);
  if (name === 'refuse' && !error) {
    const given = reason === undefined ? 'none was given' : `"${reason}" is none`;
    throw new NotPossible(`The fault refuse needs the reason of an error of the interface, and ${given}.`);
  }
  const answer = error && { error: { code: error.code, message: error.message, data: { reason } } };
  return {
    name: known.name as Fault['name'],
    ...(name === 'refuse' && answer),
    ...(delayMs !== undefined && { delay: delayMs }),
  };
}
