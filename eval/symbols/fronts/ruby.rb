# Facts of a Ruby repository, by Ripper, Ruby's own parser.
#
#     ruby ruby.rb ROOT LOADPATH,... FOLDER... > facts.jsonl
#
# Ruby does not say what a name means before it runs. Definitions and imports are
# what is written. A reference is only claimed where a class or a method has a name
# that nothing else in the repository, and nothing in Ruby, has; all else is unknown.
require "json"
require "ripper"
require "set"

ROOT = File.realpath(ARGV.shift)
LOAD = ARGV.shift.split(",")
FILES = ARGV.flat_map { |folder| Dir.glob("#{ROOT}/#{folder}/**/*.rb") }.sort.map { |file| file.delete_prefix("#{ROOT}/") }.reject { |file| file.match?(%r{/(vendor|sorbet)/}) }
KNOWN_TO_RUBY = ObjectSpace.each_object(Module).flat_map { |m| m.instance_methods(false) + m.private_instance_methods(false) + m.singleton_methods(false) }.map(&:to_s).to_set

def emit(fact)
  puts JSON.generate(fact.compact)
end


# A walk over the tree of a file, with the names around each node.
class Walk
  attr_reader :defs, :imports, :uses

  def initialize(path, text)
    @path = path
    @lines = text.lines
    @defs = []
    @imports = []
    @uses = []
    @tree = Ripper.sexp_raw(text)
    visit(@tree, [], false) if @tree
  end

  def whole?
    !@tree.nil?
  end

  def token(node)
    return node if node.is_a?(Array) && node[0].is_a?(Symbol) && node[0].start_with?("@")
    return nil unless node.is_a?(Array)

    node.reverse_each do |part|
      found = token(part) if part.is_a?(Array)
      return found if found
    end
    nil
  end

  def define(tok, kind, within, local, ending = nil)
    name = tok[1].delete_prefix(":").delete_suffix(":").delete_prefix("@")
    line, column = tok[2]
    @defs << { t: "def", id: "#{@path}:#{line}:#{column}", kind: kind, name: name, owner: kind == "type" ? nil : within.last,
               path: @path, line: line, column: column + 1, end: ending || line, local: local || nil }
  end

  # The last line of a definition that begins on a line: its `end` stands as deep.
  def ending(line)
    row = @lines[line - 1]
    return line if row.match?(/\bend\s*$/) || row.match?(/\bdef\b[^=]*\)?\s+=\s/)

    deep = row[/\A\s*/].length
    (line...@lines.length).each do |at|
      return at + 1 if @lines[at].match?(/\A\s{#{deep}}end\b/)
    end
    line
  end

  def visit(node, within, local)
    return unless node.is_a?(Array)

    unless node[0].is_a?(Symbol)
      node.each { |part| visit(part, within, local) }
      return
    end
    case node[0]
    when :class, :module
      tok = token(node[1])
      define(tok, "type", within, local, ending(tok[2][0]))
      node[2..].each { |part| visit(part, within + [tok[1]], local) }
      return
    when :def
      tok = token(node[1])
      define(tok, "method", within, local, ending(tok[2][0]))
      node[2..].each { |part| visit(part, within, true) }
      return
    when :defs
      tok = token(node[3])
      define(tok, "method", within, local, ending(tok[2][0]))
      node[4..].each { |part| visit(part, within, true) }
      return
    when :assign
      left = node[1]
      define(left[1], "constant", within, local) if left[0] == :var_field && left[1].is_a?(Array) && left[1][0] == :@const
    when :command, :method_add_arg
      command(node, within, local)
    when :var_ref, :const_path_ref, :top_const_ref
      tok = node.last
      @uses << [tok, "const"] if tok.is_a?(Array) && tok[0] == :@const
    when :vcall, :fcall
      @uses << [node[1], "call"]
    when :call, :command_call
      @uses << [node[3], "call"] if node[3].is_a?(Array)
    end
    @uses << [node[1], "call"] if node[0] == :command
    node[1..].each { |part| visit(part, within, local) }
  end

  def command(node, within, local)
    head = node[0] == :command ? node[1] : node[1][0] == :fcall ? node[1][1] : nil
    return unless head

    case head[1]
    when "attr_reader", "attr_accessor", "attr_writer"
      symbols(node[2]).each { |tok| define(tok, "field", within, local) }
    when "require", "require_relative"
      string = strings(node[2]).first
      @imports << [head[2][0], head[1], string]
    end
  end

  def symbols(node)
    return [] unless node.is_a?(Array)
    return [node[1]] if node[0] == :symbol && node[1].is_a?(Array)

    node.flat_map { |part| symbols(part) }
  end

  def strings(node)
    return [] unless node.is_a?(Array)
    return [:dynamic] if node[0] == :string_embexpr
    return [node[1]] if node[0] == :@tstring_content

    node.flat_map { |part| strings(part) }
  end
end

def target(path, kind, string)
  bases = kind == "require_relative" ? [File.dirname(path)] : LOAD
  bases.each do |base|
    file = File.expand_path("#{ROOT}/#{base}/#{string}").delete_prefix("#{ROOT}/")
    file += ".rb" unless file.end_with?(".rb")
    return file if FILES.include?(file)
  end
  nil
end

walks = FILES.to_h { |path| [path, Walk.new(path, File.read("#{ROOT}/#{path}"))] }
walks.select! { |_, walk| walk.whole? }
all = walks.values.flat_map(&:defs)
# A class that is opened again is the same class.
names = all.group_by { |one| one[:name] }
unique = names.select { |name, ones| ones.size == 1 && !KNOWN_TO_RUBY.include?(name) && ones[0][:kind] != "constant" }
walks.each do |path, walk|
  emit(t: "file", path: path)
  walk.defs.each { |one| emit(one) }
  walk.imports.each do |line, kind, string|
    to = string.is_a?(String) ? target(path, kind, string) : nil
    emit(t: "import", path: path, line: line, to: [to].compact, unknown: (string.is_a?(String) ? nil : true))
  end
  walk.uses.each do |tok, kind|
    next unless tok.is_a?(Array) && tok[1].is_a?(String)

    line, column = tok[2]
    one = unique[tok[1]]&.first
    fits = one && (kind == "const") == (one[:kind] == "type")
    if fits
      emit(t: "ref", to: one[:id], path: path, line: line, column: column + 1, role: kind == "const" ? "read" : "call")
    else
      emit(t: "unknown", name: tok[1], path: path, line: line)
    end
  end
  # Symbols may name a method too: `&:name`, `send(:name)`.
  File.readlines("#{ROOT}/#{path}").each_with_index do |row, at|
    row.scan(/(?<!:):(\w+[?!]?)/) { |(name)| emit(t: "unknown", name: name, path: path, line: at + 1) if unique[name] }
  end
end
