import { createHash } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpackedTexts } from '../decoded-texts.ts';
import { findHashes, patientHashes } from './patient-hashes.ts';

const hashes = patientHashes(new Map([['Quokka', 'surname']]));
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text);

test.each([
  ['md5', hash('md5', 'Quokka').digest('hex').toUpperCase()],
  ['sha1', hash('sha1', 'quokka').digest('hex')],
  ['sha256', hash('sha256', 'QUOKKA').digest('base64')],
  ['sha512', hash('sha512', 'Quokka').digest('base64url')],
])('a %s of patient data is found', (algorithm, text) => {
  expect(findHashes(`{"note":"${text}"}`, hashes)).toEqual([`surname hashed with ${algorithm}`]);
});

test('other hashes are not found, and none where no patient is known', () => {
  expect(findHashes(hash('sha256', 'Quokkas').digest('hex'), hashes)).toEqual([]);
  expect(findHashes(hash('sha256', 'Quokka').digest('hex'), patientHashes(new Map()))).toEqual([]);
});

test('compressed texts and texts in UTF-16 are read', () => {
  const text = 'the surname is Quokka';
  for (const packed of [gzipSync(text), deflateSync(text), Buffer.from(text, 'utf16le')])
    expect(unpackedTexts(`{"note":"${packed.toString('base64')}"}`)).toContain(text);
  expect(unpackedTexts('{"note":"the-surname-is-not-here"}')).not.toContain(text);
});
