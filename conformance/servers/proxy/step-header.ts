/** The harness names the step of its own requests by this header; the recording proxy takes it away. */
export const STEP_HEADER = 'x-harness-step';
