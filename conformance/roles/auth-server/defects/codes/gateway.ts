/**
 * Lists defects in what an authorization server does when its SMS gateway fails. The mock has no gateway, so
 * the plain shapes alone have them. A key is the check that must find the defects below it.
 */
import { foundBy, on } from '../defect.ts';

export const gatewayDefects = foundBy({
  'no-sign-in-without-gateway': [
    'code-emptied-by-gateway-failure: A code whose message failed is emptied, and an empty code confirms it',
    on('carried-sign'),
    'zeros-after-gateway-failure: Where the gateway fails, the code is 000000',
    on('challenge'),
  ],
});
