/** How fast Play plays: how long it waits between two steps. */
export const paces = { slow: 5_000, walking: 1_000, atOnce: 0 } as const;

export type PlayPace = keyof typeof paces;
