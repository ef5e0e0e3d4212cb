/** What happens to the servers of a case of a client between two actions: troubles, time, other devices. */

/** The functions that are written into the script. */
export const changeFunctions: Readonly<Record<string, string>> = {
  trouble: `
/** Has the next calls of a method go wrong. */
async function trouble(method, how, times = 1) {
  calls.push('a trouble');
  troubles.push({ method, times, ...how });
}`,
  calm: `
/** All goes right again. */
async function calm() {
  calls.push('no trouble');
  troubles.length = 0;
}`,
  troubles: `
const troubles = [];`,
  advance: `
/** Time passes for both servers. */
async function advance(minutes) {
  calls.push('time passes');
  clock.ahead += minutes * 60_000;
}`,
  wait: `
async function wait(ms) {
  calls.push('a pause');
  await pause(ms);
}`,
  disconnect: `
/** The person disconnects the record on another device. */
async function disconnect(phone) {
  calls.push('another device');
  known.links.delete(known.users.get(phone));
}`,
  changeRecord: `
/** The record of a patient changes at the EHR server. */
async function changeRecord(record) {
  calls.push('a change');
  PATIENTS[PATIENTS.findIndex(({ id }) => id === record.id)] = record;
}`,
  withTtl: `
/** Gives the session of a sign-in another lifetime, in minutes. */
const withTtl = (ttl) => ({ result, ...reply }) =>
  result?.authInfo ? { ...reply, result: { ...result, authInfo: { ...result.authInfo, ttl } } } : { ...reply, result };`,
  withMore: `
/** Adds members that the interface does not name. */
function withMore({ result, ...reply }) {
  const more = { servedBy: 'another make', tags: ['a', 'b'] };
  const patient = result?.patient && { patient: { ...result.patient, ...more } };
  return { ...reply, ...(result && { result: { ...result, ...patient, ...more } }), ...more };
}`,
};
