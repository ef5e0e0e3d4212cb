/** The options that replace parties, in a clone and in an installed package alike. */
import type { Command } from 'commander';
import type { PartyFiles } from '../parties/load.ts';

export type PartyOptions = { authServer?: string; ehrServer?: string; client?: string };

export function withPartyOptions(command: Command): Command {
  return command
    .option('--auth-server <file>', 'play the flows with this authorization server instead of ours')
    .option('--ehr-server <file>', 'play the flows with this EHR server instead of ours')
    .option('--client <file>', 'play the flows with this client instead of ours');
}

export function partyFilesOf({ authServer, ehrServer, client }: PartyOptions): PartyFiles {
  return {
    ...(authServer !== undefined && { 'auth-server': authServer }),
    ...(ehrServer !== undefined && { 'ehr-server': ehrServer }),
    ...(client !== undefined && { client }),
  };
}
