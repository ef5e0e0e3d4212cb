/**
 * Rules of the form of a client's calls (§2.1, §4). What the interface says of a call is about the EHR
 * server; the form of calls to the authorization server is our decision. `breaks` names the rule that the kit
 * applied when the message came.
 */
import { EHR_METHODS } from '../../servers/calls.ts';
import { isCall, type MessageCheck, on } from './rules.ts';

export const callRules: readonly MessageCheck[] = [
  {
    id: 'post-of-json',
    title: 'Every call of the EHR server is an HTTP POST whose body is one JSON object',
    requirements: ['4-post-json'],
    of: on('client->ehr'),
    breaks: 'post-json',
    expected: 'POST, and one JSON object',
    advice: 'Send POST with one JSON object; count the length of the body in bytes.',
  },
  {
    id: 'version-in-path',
    title: 'Calls go to the base URL of the EHR server, directly followed by the version segment',
    requirements: ['9-version-in-path'],
    of: on('client->ehr'),
    breaks: 'path',
    expected: 'the path /1.0-alpha/',
    advice: 'Append the version segment and a slash to the base URL.',
  },
  {
    id: 'jsonrpc-member',
    title: 'Every call of the EHR server has the member jsonrpc with the string 2.0',
    requirements: ['2.1-jsonrpc-sent'],
    of: on('client->ehr'),
    breaks: 'envelope',
    expected: '"jsonrpc": "2.0"',
    advice: 'Send jsonrpc as the string "2.0".',
  },
  {
    id: 'ids-of-calls',
    title: 'Every call of the EHR server has an id',
    requirements: ['2.1-id-sent'],
    of: on('client->ehr'),
    breaks: 'id',
    expected: 'an id, as a number or a text',
    advice: 'Count the calls, or draw a random id for each.',
  },
  {
    id: 'methods-are-texts',
    title: 'Every call of the EHR server names its method as a text',
    requirements: ['2.1-method-sent'],
    of: on('client->ehr'),
    breaks: 'method-text',
    expected: 'method as a text',
    advice: 'Send the name of the operation in the member method.',
  },
  {
    id: 'methods-of-clients',
    title: 'The client calls no method of the internal channel, and authenticate at the EHR server alone',
    requirements: ['4.1-internal-channel', '4.2-internal-channel', '4.3-caller'],
    of: isCall,
    needs: [EHR_METHODS.authenticate],
    breaks: 'method',
    expected: 'no save, and no authenticate for the authorization server',
    advice:
      'save_auth_info and save_exchange_token are for the authorization server; the client has the others.',
  },
  {
    id: 'params-by-name',
    title: 'The parameters of a call of the EHR server stand in the member params, by name',
    requirements: ['2.1-params-sent'],
    of: on('client->ehr'),
    breaks: 'params',
    expected: 'params is an object, or left out where there is nothing to say',
    advice: 'Send params as an object; {} where there is nothing to say.',
  },
];
