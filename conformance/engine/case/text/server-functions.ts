/** What the scripts of all roles have that play servers themselves. */

/** Functions that are written into a script. */
export const serverFunctions: Readonly<Record<string, string>> = {
  received: `
/** The calls of the tested party, in order; during: the number of the call of this script, or step, then. */
const received = [];`,
  sent: `
/** What the tested party sent with this method during a call of this script, or a step. */
const sent = (during, method) => received.filter((each) => each.during === during && each.method === method);`,
  textOf: `
async function textOf(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}`,
  listen: `
const listen = (handle, port) =>
  new Promise((resolve, reject) => {
    const server = createServer(handle).once('error', () => reject(new Error('port ' + port + ' is taken')));
    server.listen(port, HOST, () => resolve(server));
  });`,
  closeAll: `
function closeAll(servers) {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
}`,
};
