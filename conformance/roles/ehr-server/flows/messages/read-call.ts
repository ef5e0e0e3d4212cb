/** The text of a read, whose envelope a scenario changes. */

export const READ = 'patient.get_patient';

export const readCall = (members: Record<string, unknown>) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: READ, params: {}, ...members });
