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
  'gateway-refusal-told': [
    'gateway-refusal-ignored: The gateway is waited for, and what it answers is ignored',
    on('challenge', 'carried-sign'),
  ],
  'code-after-gateway-failure': [
    'locked-after-gateway-failure: A phone whose message failed is sent no other one for a day',
    on('carried-sign'),
  ],
  'gateway-failure-not-passed-on': [
    'gateway-address-told: The refusal names the address of the gateway',
    on('carried-sign'),
  ],
  'others-served-while-gateway-silent': [
    'messages-in-turn: Messages are sent one after another, those of all users',
    on('challenge', 'carried-sign'),
  ],
});
