/** The flows that are played on the page of our web client: those that lead to every screen of it. */
export const flowsOnPage: readonly string[] = [
  ...['first-link', 'returning-user', 'exchange-token-expired', 'session-expired', 'wrong-details'],
  ...['record-of-another', 'wrong-code', 'old-code', 'superseded-code'],
  ...['log-out', 'log-out-without-ehr-server', 'log-out-without-auth-server', 'disconnect'],
  ...['delete-account', 'delete-account-without-ehr-server'],
];
