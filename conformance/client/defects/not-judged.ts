/** Faults of public clients that the kit does not show on a client driven by a program. */

/** Each with the reason. */
export const notJudgedByCommand: readonly { id: string; because: string }[] = [
  { id: 'cl-back-shows-the-record', because: 'it takes a browser with a history' },
  { id: 'cl-other-tab-stays-open', because: 'it takes a browser with two tabs' },
  { id: 'cl-worker-keeps-the-record', because: 'it takes a browser with a service worker' },
  { id: 'cl-properties-in-crash-reports', because: 'the kit sees the messages to its own servers alone' },
  { id: 'cl-form-is-recorded', because: 'the kit sees the messages to its own servers alone' },
  { id: 'cl-device-clock-wrong', because: 'the clock of the device is not in the hands of the program' },
  { id: 'cl-large-numbers-changed', because: 'no member that a client sends back is a number of a record' },
];
