/** oauth2-mock-server, which people use as an authorization server in tests: measures its token endpoint. */
import { OAuth2Server } from 'oauth2-mock-server';

const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(0, '127.0.0.1');
process.stdout.write(`Ready at http://127.0.0.1:${server.address().port}\n`);
