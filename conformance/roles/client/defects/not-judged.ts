/** Faults of public clients that the kit does not show on a client driven by a program. */

/** The id of each fault, and why the kit cannot show it. */
export const clientNotJudged: readonly { id: string; because: string }[] = [
  { id: 'back-shows-the-record', because: 'it takes a browser, where back-shows-no-record judges it' },
  {
    id: 'other-tab-stays-open',
    because: 'it takes a browser, where other-tab-follows judges the next action',
  },
  { id: 'worker-keeps-the-record', because: 'it takes a browser with a service worker' },
  { id: 'properties-in-crash-reports', because: 'the kit sees the messages to its own servers alone' },
  { id: 'form-is-recorded', because: 'the kit sees the messages to its own servers alone' },
  { id: 'device-clock-wrong', because: 'the clock of the device is not in the hands of the program' },
  { id: 'large-numbers-changed', because: 'no member that a client sends back is a number of a record' },
];
