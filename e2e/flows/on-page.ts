/** The flows that are played on the page of our web client: those that lead to every screen of it. */
export const flowsOnPage: readonly string[] = [
  ...['first-link', 'returning-user', 'exchange-token-expired', 'wrong-details', 'wrong-code'],
  ...['disconnect', 'delete-account'],
];
