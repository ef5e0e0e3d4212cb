/**
 * The header by which a request of the kit names its step (the `seq` of the journal entry). The recording
 * proxy reads it and removes it, so that no party sees it.
 */
export const STEP_HEADER = 'x-harness-step';
