/**
 * The kinds of trouble on a wire in Russian and German; English comes from the console. One that is not here
 * is shown in English.
 */
export const faultTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  down: [
    'Соединение закрывается до сервера.',
    'Die Verbindung wird geschlossen, bevor der Server erreicht ist.',
  ],
  reset: [
    'Соединение обрывается до сервера.',
    'Die Verbindung wird abgebrochen, bevor der Server erreicht ist.',
  ],
  truncate: [
    'Сервер отвечает, доходит половина ответа.',
    'Der Server antwortet, und die halbe Antwort kommt an.',
  ],
  late: ['Ответ приходит поздно.', 'Die Antwort kommt spät.'],
  'split-reply': ['Ответ приходит тремя частями с паузами.', 'Die Antwort kommt in drei Teilen, mit Pausen.'],
  trickle: ['Ответ начинается и не кончается.', 'Die Antwort beginnt und kommt nie zum Ende.'],
  hang: [
    'Ответа нет, пока помеха не выключена.',
    'Es kommt keine Antwort, bis die Störung abgeschaltet ist.',
  ],
  refuse: [
    'Вызов отклоняется с ошибкой интерфейса; до сервера он не доходит.',
    'Der Aufruf wird mit einem Fehler der Schnittstelle abgelehnt; den Server erreicht er nicht.',
  ],
  'http-500': [
    'Ответ на вызов — HTTP 500; до сервера он не доходит.',
    'Der Aufruf wird mit HTTP 500 beantwortet; den Server erreicht er nicht.',
  ],
  'reply-lost': [
    'Сервер выполняет вызов, а ответ теряется.',
    'Der Server führt den Aufruf aus, und seine Antwort geht verloren.',
  ],
  'not-json': ['Ответ — страница HTML.', 'Die Antwort ist eine HTML-Seite.'],
  'wrong-id': ['В ответе id другого вызова.', 'Die Antwort hat die id eines anderen Aufrufs.'],
  'result-null': ['Результат — null.', 'Das Ergebnis ist null.'],
  'no-result': [
    'В ответе нет ни результата, ни ошибки.',
    'Die Antwort hat weder ein Ergebnis noch einen Fehler.',
  ],
  'result-and-error': ['В ответе и результат, и ошибка.', 'Die Antwort hat ein Ergebnis und einen Fehler.'],
  'error-text': ['Ошибка — просто текст.', 'Der Fehler ist ein Text.'],
  array: ['На один вызов отвечает пакет.', 'Ein einzelner Aufruf wird mit einem Stapel beantwortet.'],
  'status-204': ['Ответ — HTTP 204 без тела.', 'Die Antwort ist HTTP 204 ohne Inhalt.'],
  'duplicate-members': [
    'В ответе id и результат названы дважды.',
    'Die Antwort nennt id und Ergebnis zweimal.',
  ],
  huge: [
    'Ответ дополнен восемью мегабайтами пробелов.',
    'Die Antwort ist mit acht Megabyte Leerzeichen aufgefüllt.',
  ],
};
