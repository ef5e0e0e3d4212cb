/** Every text of the page "Messages" in its two languages: English, Russian. */

export const languages = ['en', 'ru'];

export const table = {
  title: ['Messages', 'Сообщения'],
  language: ['Language', 'Язык'],
  note: [
    'Nothing is sent for real: the codes of this authorization server arrive here.',
    'На самом деле ничего не отправляется: коды этого сервера авторизации приходят сюда.',
  ],
  byKey: ['{copyKey} copies the newest code.', '{copyKey} копирует самый новый код.'],
  filter: ['Only messages to', 'Только сообщения для'],
  anybody: ['any phone or e-mail address', 'любой номер или адрес почты'],
  list: ['Messages, newest first', 'Сообщения, сначала новые'],
  connecting: ['Connecting…', 'Соединение…'],
  live: ['Connected', 'На связи'],
  lost: ['Not connected, trying again', 'Нет связи, пробуем снова'],
  wasLost: ['The connection was lost.', 'Связь прервалась.'],
  emptyTitle: ['No messages yet', 'Сообщений пока нет'],
  emptyText: [
    'Enter a phone number or an e\u2011mail address in the client and ask for a code. It arrives here at once.',
    'Введите в клиенте номер телефона или адрес почты и запросите код. Он сразу придёт сюда.',
  ],
  noneTitle: ['No message to this recipient', 'Этому получателю ничего нет'],
  noneText: [
    'Request a code for it in the client, or clear the filter above to see all messages.',
    'Запросите для него код в клиенте или очистите фильтр, чтобы увидеть все сообщения.',
  ],
  arrived: ['New message to {to}: the code is {code}.', 'Новое сообщение для {to}: код {code}.'],
  copy: ['Copy', 'Копировать'],
  copied: ['Copied', 'Скопировано'],
  marked: ['Marked', 'Выделено'],
  copyCode: ['Copy code {code}', 'Копировать код {code}'],
  copiedCode: ['Copied code {code}', 'Скопирован код {code}'],
  markedCode: ['Marked code {code}', 'Выделен код {code}'],
  toldCopied: ['Code {code} copied.', 'Код {code} скопирован.'],
  toldMarked: [
    'The browser does not let this page copy. The code is marked.',
    'Браузер не даёт странице копировать. Код выделен.',
  ],
};

export function textIn(language, key, values = {}) {
  return table[key][languages.indexOf(language)].replace(
    /\{(\w+)\}/g,
    (place, name) => values[name] ?? place,
  );
}

/** Return the language that the reader chose, else the first of the browser that is here, else English. */
export function languageFor(chosen, preferred) {
  const wanted = [chosen ?? '', ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => languages.includes(tag)) ?? 'en';
}
