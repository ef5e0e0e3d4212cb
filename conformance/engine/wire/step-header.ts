/** Names the step of the kit's own requests. The recording proxy removes it. */
export const STEP_HEADER = 'x-harness-step';
